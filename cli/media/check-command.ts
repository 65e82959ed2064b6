/**
 * @module What `edgewise media check` does.
 */
import { whileClaimed } from '../core/lock/database-lock.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { assertUnlocked, holderOf } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { confirmYes, progress } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { checkMedia, purgeTrash } from './repair-mismatches.ts';

interface MediaFlags extends Target {
  readonly fix?: true;
  readonly purge?: true;
  readonly json?: true;
  readonly yes?: number;
  readonly most: number;
  readonly minAge?: number;
}

/** Minutes. Uploads that are under way have bytes before they have a file; without a server there are none. */
const USUAL_AGE = { unserved: 0, served: 60 };

export async function checkProjectMedia(root: string, flags: MediaFlags): Promise<void> {
  const isServed = flags.remote || holderOf(root, flags) !== undefined;
  const { fix = false, json = false, most, minAge = isServed ? USUAL_AGE.served : USUAL_AGE.unserved } = flags;
  if (fix || flags.purge) assertUnlocked(root, flags);
  const registry = registryOf(await readSchemaFiles(root));
  const confirm = (count: number, what: string) => confirmYes(count, what, flags.yes);
  const work = async (storage: Storage) => {
    if (flags.purge) return purgeTrash(storage, confirm);
    progress(`comparing the ${databaseName(flags)} and its bucket …`);
    await checkMedia(storage, registry, { fix, json, minAge, most }, confirm);
  };
  const run = () => withStorage(root, flags, work);
  await (fix || flags.purge ? whileClaimed(flags, 'media check', run) : run());
}
