/**
 * @module The archive that was read from a running Strapi: where it lies until its import is whole.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchiveFile, openArchive } from '../import/archive-file.ts';
import { type Flags, isTaken, tokenFor } from '../import/options.ts';
import type { Remarks } from '../import/remarks.ts';
import { progress } from '../terminal.ts';
import { baseOf, isUnencrypted } from './address.ts';
import { strapiClient } from './client.ts';
import { readServer } from './read-server.ts';

const FOLDER = '.wrangler/edgewise';

const pathOf = (root: string, base: string): string =>
  join(root, FOLDER, `${base.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '-')}.tar.gz`);

/**
 * Reads a running Strapi, or finds what was read of it when its import is to go on.
 * @throws UserError for what cannot be read.
 */
export async function serverArchive(
  root: string,
  address: string,
  flags: Flags,
  remarks: Remarks,
): Promise<ArchiveFile> {
  const base = baseOf(address);
  const path = pathOf(root, base);
  if (flags.resume && existsSync(path)) progress(`going on with what was read of ${base}`);
  else {
    const token = tokenFor(flags);
    if (isUnencrypted(base)) progress(`${base} is asked without encryption: whoever is on the way can read the token`);
    await readServer({
      client: strapiClient({ base, token }),
      ...{ path, remarks, deletions: flags.deletions === true },
      ...{ files: isTaken('files', flags), config: isTaken('config', flags) },
      ...(flags.since !== undefined && { since: flags.since }),
    });
  }
  return { ...openArchive(path, undefined), name: base };
}

/** It has names and addresses in it, and is of no more use. */
export function removeArchive({ path }: ArchiveFile): void {
  rmSync(path, { force: true });
}
