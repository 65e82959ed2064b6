/**
 * @module `facets` → names.
 */
import { invalid } from '../../common/errors.ts';
import { isEmpty, type RawValue } from './query-string.ts';

/** `facets=a,b`, `facets[]=a&facets[]=b`; undefined without a value. @throws ApiError 400 for anything else */
export function parseFacets(raw: RawValue | undefined): readonly string[] | undefined {
  if (isEmpty(raw)) return undefined;
  const texts = [raw].flat();
  const message = "Invalid parameter at 'facets'. Expected a string or an array of strings";
  if (!texts.every((item) => typeof item === 'string')) throw invalid(message, { source: 'query', param: 'facets' });
  return [...new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))];
}
