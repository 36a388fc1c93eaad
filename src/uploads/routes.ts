import { create } from 'content-disposition';
import type { Professional } from '../auth/identity.ts';
import { decide } from '../domain/rule.ts';
import { MAX_LOCAL_IDS, MAX_UPLOAD_TIME, type UploadLimits } from '../domain/upload-limits.ts';
import { type Answer, notFound, ok } from '../http/exchange.ts';
import { forCallers, forProfessionals, type Request } from '../http/operation/operation.ts';
import { queryIds, queryValues } from '../http/request/parameters.ts';
import { UpstreamError } from '../ports/call.ts';
import type { Upload } from '../ports/store/uploads.ts';
import {
  APPLICATION_TYPES,
  DIPLOMA_HERKOMSTEN,
  FILE_TYPES,
  TAALVAARDIGHEDEN,
  type UploadState,
} from '../wire/values.ts';
import { createAdmission, createChecks, createDownloads } from './admission.ts';
import { categoriesFor, type UploadCategory } from './categories.ts';
import { type DocumentStores, removeDocument } from './documents.ts';
import { isLocalId } from './form.ts';
import { type ReceiveDeps, receiveUpload } from './receive.ts';
import { demandRemovable } from './rules.ts';
import {
  type DocumentCategoryDto,
  UploadCategoriesDto,
  UploadForm,
  UploadStatusDto,
  UploadStatusItemDto,
} from './schema.ts';

export interface UploadDeps extends DocumentStores, ReceiveDeps {
  readonly uploadLimits: UploadLimits;
}

const TAG = 'Documenten';

const SITUATION = {
  wizardId: { description: 'De soort aanvraag.', values: APPLICATION_TYPES, isRequired: true },
  diplomaHerkomst: { description: 'Waar het diploma vandaan komt.', values: DIPLOMA_HERKOMSTEN },
  taalvaardigheid: { description: 'Waaruit de taalvaardigheid blijkt.', values: TAALVAARDIGHEDEN },
} as const;

const UPLOADED_EXAMPLE = { localId: 'scan-1', status: 'uploaded', documentId: '4bcf6286-b6d5-4e15-9ff5-55876d0012ab' };

export function uploads(deps: UploadDeps) {
  const admission = createAdmission(deps.uploadLimits);
  const check = createChecks(deps.uploadLimits);
  const downloads = createDownloads();
  return [
    forProfessionals({
      id: 'uploadCategories',
      method: 'GET',
      path: '/uploads/categories',
      // The list is the same for every caller.
      activity: null,
      tag: TAG,
      english: 'Returns the documents that an application needs or may have.',
      summary: 'Welke documenten bij een aanvraag horen',
      description: 'Dezelfde vraag geeft iedereen dezelfde lijst. MB is 1.048.576 bytes.',
      query: SITUATION,
      answers: { 200: UploadCategoriesDto },
      answerExample: {
        categories: [
          {
            categoryId: 'werkervaring',
            label: 'Bewijs van werkervaring',
            description: 'Bijvoorbeeld een werkgeversverklaring',
            required: false,
            acceptedTypes: ['application/pdf', 'image/jpeg', 'image/png'],
            maxSizeMb: 10,
            multiple: true,
            allowPostDelivery: true,
          },
        ],
      },
      handle({ http, onDecision }) {
        const categories = decide(onDecision, categoriesFor, queryValues(http, SITUATION));
        return ok({ categories: categories.map(toCategory) } satisfies UploadCategoriesDto);
      },
    }),

    forProfessionals({
      id: 'createUpload',
      method: 'POST',
      path: '/uploads',
      activity: 'document-bewaren',
      tag: TAG,
      english: 'Uploads a document.',
      summary: 'Een document uploaden',
      description: [
        'Velden eerst, dan het bestand. Dezelfde `localId` met hetzelfde bestand nog eens sturen is veilig: 200 in plaats van 201.',
        'Pdf, jpg of png, naar de inhoud en niet naar de naam; niet beveiligd, niet beschadigd, zonder virus.',
      ].join(' '),
      form: UploadForm,
      budget: MAX_UPLOAD_TIME,
      answers: { 200: UploadStatusItemDto, 201: UploadStatusItemDto },
      answerExample: UPLOADED_EXAMPLE,
      responseHeaders: { Location: 'Waar de inhoud te lezen is.' },
      problems: {
        400: [
          'upload-onjuist',
          'upload-veld-onjuist',
          'upload-zonder-bestand',
          'upload-te-veel-bestanden',
          'categorie-onbekend',
        ],
        408: ['verzoek-te-traag'],
        409: ['upload-anders', 'upload-bezig', 'upload-quotum'],
        413: ['bestand-te-groot'],
        415: ['mediatype-niet-ondersteund', 'bestandstype-niet-toegestaan'],
        422: [
          'bestand-leeg',
          'bestandsnaam-onjuist',
          'bestand-beschadigd',
          'bestand-versleuteld',
          'afbeelding-te-groot',
          'bestand-geinfecteerd',
        ],
        429: ['te-veel-uploads'],
      },
      upstreams: ['documenten', 'scanner'],
      async handle(request) {
        const { caller } = request;
        const { reserve, release } = admission.admit(caller.subject);
        try {
          const { status, upload } = await receiveUpload({ ...deps, reserve, check }, request);
          const headers = { Location: `/api/v1/uploads/${upload.documentId}/content` };
          return { status, body: toStatusItem(upload) satisfies UploadStatusItemDto, headers };
        } finally {
          release();
        }
      },
    }),

    forProfessionals({
      id: 'uploadStatus',
      method: 'GET',
      path: '/uploads/status',
      activity: 'document-bewaren',
      tag: TAG,
      english: 'Returns the status of the uploads of the caller.',
      summary: 'De status van uw uploads',
      description: `Van de genoemde \`localIds\`, ten hoogste ${MAX_LOCAL_IDS}; zonder die van al uw uploads, de nieuwste eerst.`,
      query: { localIds: { description: 'Met komma’s ertussen; de parameter mag ook herhaald worden.' } },
      answers: { 200: UploadStatusDto },
      answerExample: { results: [UPLOADED_EXAMPLE, { localId: 'scan-2', status: 'unknown', documentId: null }] },
      async handle({ caller, http }) {
        const asked = queryIds(http, 'localIds', MAX_LOCAL_IDS);
        const found = await deps.uploads.list(caller.subject, asked?.filter(isLocalId));
        if (asked === null) return ok({ results: found.map(toStatusItem) } satisfies UploadStatusDto);
        const results = asked.flatMap((localId) => {
          const mine = found.filter((upload) => upload.localId === localId).map(toStatusItem);
          return mine.length > 0 ? mine : [{ localId, status: 'unknown', documentId: null }];
        });
        return ok({ results } satisfies UploadStatusDto);
      },
    }),

    forProfessionals({
      id: 'uploadContent',
      method: 'GET',
      path: '/uploads/{documentId}/content',
      activity: 'document-inzien',
      tag: TAG,
      english: 'Returns the content of a document.',
      summary: 'Een document lezen',
      description:
        'Om te bewaren, niet om in de pagina te tonen. `Repr-Digest` is de hash van de hele inhoud (RFC 9530).',
      budget: 30_000,
      media: FILE_TYPES,
      answers: { 200: null, 404: null },
      responseHeaders: { 'Content-Disposition': 'De bestandsnaam.', 'Repr-Digest': 'Hash van de inhoud.' },
      upstreams: ['documenten'],
      async handle(request) {
        const { caller, call } = request;
        await downloads.takeInTurn(caller.subject, () => call.stop);
        const free = () => downloads.release(caller.subject, 1);
        try {
          const answer = await serveDocument(deps, request);
          if (answer.stream === undefined) free();
          else answer.stream.once('close', free);
          return answer;
        } catch (error) {
          free();
          throw error;
        }
      },
    }),

    forProfessionals({
      id: 'deleteUpload',
      method: 'DELETE',
      path: '/uploads/{documentId}',
      activity: 'document-bewaren',
      tag: TAG,
      english: 'Deletes a document of the caller.',
      summary: 'Een document weggooien',
      description: 'Kan zolang het document bij geen ingediende aanvraag hoort. Een tweede keer geeft 404.',
      answers: { 204: null, 404: null },
      problems: { 409: ['document-in-gebruik'] },
      upstreams: ['documenten'],
      async handle(request) {
        const { caller, params, call, onDecision } = request;
        const { documentId = '' } = params;
        const reason = 'Verwijderd door de indiener';
        const removed = await removeDocument(deps, { owner: caller.subject, documentId, reason }, call);
        decide(onDecision, demandRemovable, { documentId, found: removed });
        return removed === 'removed' ? { status: 204 } : notFound;
      },
    }),

    forCallers({
      id: 'adminDeleteUpload',
      method: 'DELETE',
      path: '/admin/uploads/{documentId}',
      admits: 'uploadAdmin',
      activity: 'document-bewaren',
      act: 'upload-verwijderen',
      tag: TAG,
      english: 'Deletes a document of another person.',
      summary: 'Een document van een ander weggooien',
      description: 'Ook als het bij een aanvraag hoort.',
      answers: { 204: null, 403: null, 404: null },
      upstreams: ['documenten'],
      async handle(request) {
        const { processingDetails, caller, params, call, trace } = request;
        const upload = await deps.uploads.find(params.documentId ?? '', caller.workspace);
        if (upload === null) return notFound;
        const { owner, documentId, sha256 } = upload;
        processingDetails.concerns({ type: 'eigenaar', value: owner });
        processingDetails.about({ documentId, sha256 });
        const reason = `Verwijderd door een beheerder, verzoek ${trace.requestId}`;
        const removed = await removeDocument(deps, { owner, documentId, reason, even: 'linked' }, call);
        return removed === 'removed' ? { status: 204 } : notFound;
      },
    }),
  ];
}

// Only headers for HEAD; `UpstreamError` for a document of another size than was stored.
async function serveDocument(
  { uploads, documents }: UploadDeps,
  { caller, params, call, http }: Request<Professional>,
): Promise<Answer> {
  const [upload] = await uploads.named(caller.subject, [params.documentId ?? '']);
  if (upload?.state !== 'uploaded' || upload.key === null || upload.omvang === null) return notFound;
  if (http.method === 'HEAD') {
    const there = await documents.stat(upload.key, call);
    if (there === null) return notFound;
    if (there.omvang !== upload.omvang) throw otherSize();
    return { status: 200, headers: headersOf(upload), length: upload.omvang };
  }
  const opened = await documents.open(upload.key, call);
  if (opened === null) return notFound;
  const isEmpty = opened.bytes.readableLength === 0;
  if (isEmpty || (opened.omvang !== null && opened.omvang !== upload.omvang)) {
    opened.bytes.destroy();
    throw otherSize();
  }
  return { status: 200, headers: headersOf(upload), stream: opened.bytes, length: upload.omvang };
}

const otherSize = () => new UpstreamError('documenten', 'unreadable', 'another size than was stored');

// A browser saves the document, and never runs it or shows it in a page.
const headersOf = (upload: Upload): Record<string, string> => ({
  'Content-Type': upload.formaat ?? 'application/octet-stream',
  'Content-Disposition': create(upload.bestandsnaam ?? 'document'),
  'Repr-Digest': `sha-256=:${base64Of(upload.sha256 ?? '')}:`,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
  'Accept-Ranges': 'none',
});

const base64Of = (hex: string): string =>
  btoa(hex.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));

// domain.md 4.5.
const SHOWN: Readonly<Record<Upload['state'], UploadState>> = {
  pending: 'pending',
  uploaded: 'uploaded',
  rejected: 'rejected',
  lost: 'unknown',
  deleting: 'unknown',
};

// A document that is being deleted is `unknown`, without its id.
const toStatusItem = ({ localId, state, documentId }: Upload): UploadStatusItemDto => ({
  localId,
  status: SHOWN[state],
  documentId: state === 'uploaded' ? documentId : null,
});

const toCategory = ({ post, acceptedTypes, ...category }: UploadCategory): DocumentCategoryDto => ({
  categoryId: category.categoryId,
  label: category.label,
  description: category.description,
  required: category.required,
  acceptedTypes: [...acceptedTypes],
  maxSizeMb: category.maxSizeMb,
  multiple: category.multiple,
  allowPostDelivery: post,
});
