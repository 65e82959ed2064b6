/**
 * @module The file that a one-time address was made for. A request to the address carries that file, and nothing else.
 */
import { type ApiError, invalid } from '../../common/errors.ts';
import type { AddressedFile } from '../../http/context.ts';

const INFO = 'fileInfo';
const REJECTED = 'An address for one upload takes one file, in the part "files", and its fileInfo';

export const otherThanAddressed = (key: string): ApiError => invalid(REJECTED, { key, source: 'body' });

/** @param count files before the part @throws ApiError 400 */
export function rejectMore(name: string, isFile: boolean, count: number): void {
  if (isFile ? name !== 'files' || count > 0 : name !== INFO) throw otherThanAddressed(name);
}

/** Returns the fields of the address, which the form may repeat. @throws ApiError 400 for another `fileInfo` */
export function addressedFields(
  fields: ReadonlyMap<string, readonly unknown[]>,
  { fileInfo }: AddressedFile,
): ReadonlyMap<string, readonly unknown[]> {
  if (fields.get(INFO)?.some((text) => text !== fileInfo))
    throw invalid(`Invalid ${INFO}. Expected that of the address, or none`, { key: INFO, source: 'body' });
  return new Map([[INFO, [fileInfo]]]);
}
