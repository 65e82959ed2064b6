/**
 * @module JSON files that a person may have written.
 */
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { UserError } from './terminal.ts';

/** @param name of the file in messages. @throws UserError for a file that is no JSON object */
export function readJson(path: string, name: string = path): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) throw new UserError(`${name} is no JSON object`);
  return json;
}
