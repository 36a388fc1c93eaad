import { Problem } from '../problem.ts';
import { hasAllowedCharacters } from '../wire/rich-text.ts';
import { isBlank } from './rules.ts';

/** Maximum number of characters (code points) of the comments with which a letter is rejected. */
const MAX_COMMENTS_LENGTH = 4_000;

/**
 * Returns the comments of a rejection without spaces around them. Throws 400 `ongeldig-verzoek` when they are blank,
 * too long, or contain forbidden characters.
 */
export function readComments(sent: string | null): string {
  const comments = sent?.trim() ?? '';
  const blank = isBlank(comments);
  if (!blank && [...comments].length <= MAX_COMMENTS_LENGTH && hasAllowedCharacters(comments.replace(/[\t\r\n]/g, '')))
    return comments;
  const detail = 'Schrijf wat er anders moet, in ten hoogste 4.000 tekens en zonder stuurtekens.';
  const errors = [{ pointer: '/comments', code: blank ? 'ontbreekt' : 'ongeldige-waarde', detail }];
  throw new Problem('ongeldig-verzoek', detail, { errors });
}
