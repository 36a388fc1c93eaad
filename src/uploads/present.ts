import type { Upload } from '../ports/store/uploads.ts';
import type { UploadState } from '../wire/values.ts';
import type { UploadCategory } from './categories.ts';
import type { DocumentCategoryDto, UploadStatusItemDto } from './schema.ts';

/** The status in a response, for each state of an upload in the store (domain.md 4.5). */
const SHOWN: Readonly<Record<Upload['state'], UploadState>> = {
  pending: 'pending',
  uploaded: 'uploaded',
  rejected: 'rejected',
  lost: 'unknown',
  deleting: 'unknown',
};

/** Returns an upload as the client sees it: a document that is being deleted is `unknown`, without its id. */
export const toStatusItem = ({ localId, state, documentId }: Upload): UploadStatusItemDto => ({
  localId,
  status: SHOWN[state],
  documentId: state === 'uploaded' ? documentId : null,
});

export const toCategory = ({ post, acceptedTypes, ...category }: UploadCategory): DocumentCategoryDto => ({
  categoryId: category.categoryId,
  label: category.label,
  description: category.description,
  required: category.required,
  acceptedTypes: [...acceptedTypes],
  maxSizeMb: category.maxSizeMb,
  multiple: category.multiple,
  allowPostDelivery: post,
});
