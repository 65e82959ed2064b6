/**
 * @module The words of `search`.
 */
import { invalid } from '../../common/errors.ts';
import { SEPARATORS } from '../../common/words.ts';
import type { Limits } from '../../schema/settings/config.ts';
import { isEmpty, type RawValue } from './query-string.ts';

const BETWEEN = new RegExp(`[\\0${SEPARATORS}]+`);

/** The small form of İ has two characters, of which texts have neither: it stays as it is. */
const lowerOf = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'İ');

const details = { source: 'query', param: 'search' };

/**
 * Returns the words in lower case, each once; undefined without a text. A text may have none.
 * @throws ApiError 400 for what is no text, and for too many words
 */
export function parseWords(raw: RawValue | undefined, { searchWords: max }: Limits): readonly string[] | undefined {
  if (isEmpty(raw)) return undefined;
  if (typeof raw !== 'string') throw invalid("Invalid parameter at 'search'. Expected a string", details);
  const words = new Set(lowerOf(raw.normalize('NFC')).split(BETWEEN).filter(Boolean));
  const message = `Invalid parameter at 'search'. Expected at most ${max} words`;
  if (words.size > max) throw invalid(message, { ...details, limit: 'searchWords' });
  return [...words];
}
