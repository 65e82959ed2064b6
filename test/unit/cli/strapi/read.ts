/**
 * @module A server that a test made is read, and what was read goes through every stage of an import.
 */
import { readFileSync } from 'node:fs';
import { newRemarks } from '../../../../src/cli/import/remarks.ts';
import { strapiClient } from '../../../../src/cli/strapi/client.ts';
import { readServer, type ServerReading } from '../../../../src/cli/strapi/read-server.ts';
import type { FakeStrapi } from '../../../support/fake-strapi.ts';
import { fileOf } from '../import/imported.ts';

export const TOKEN = 'token-of-the-test';

export interface ReadOptions extends Partial<Pick<ServerReading, 'since' | 'deletions' | 'files' | 'config'>> {
  readonly mostBytes?: number;
}

export interface Read {
  /** The archive. */
  readonly bytes: Buffer;
  readonly remarks: readonly string[];
  /** How long was waited before each further try. */
  readonly pauses: readonly number[];
}

/** @throws UserError as the command does. */
export async function read({ base }: FakeStrapi, options: ReadOptions = {}): Promise<Read> {
  const { mostBytes, ...rest } = options;
  const pauses: number[] = [];
  const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  const remarks = newRemarks();
  const path = fileOf(Buffer.alloc(0));
  const client = strapiClient({ base, token: TOKEN, pause, ...(mostBytes !== undefined && { mostBytes }) });
  await readServer({ client, path, remarks, deletions: false, files: true, config: true, ...rest });
  return { bytes: readFileSync(path), remarks: remarks.lines(), pauses };
}
