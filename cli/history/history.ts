/**
 * @module What `edgewise history` does: it deletes former versions of documents, those that the settings no longer keep, or
 * all of a type or a document.
 */

import { suggestion } from '../../src/common/near-words.ts';
import { plural } from '../../src/common/plural.ts';
import type { Statement } from '../../src/content/sql/statement.ts';
import { deleteOld } from '../../src/features/history/prune.ts';
import {
  countVersions,
  deleteBeyond,
  deleteSurplus,
  deleteVersions,
  type PurgedVersions,
} from '../../src/features/history/sql/prune.ts';
import { historyBytes, keptVersions } from '../../src/schema/settings/derived.ts';
import { counted } from '../core/counted.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { type ProgressLine, progressLine } from '../core/progress-line.ts';
import { runBatch } from '../core/sql/statements.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { withStorage } from '../core/storage/storage.ts';
import { confirmYes, progress, UsageError, UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { loadSettings } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';

/** Statements of a batch, each of which deletes a bounded number of rows. */
const AT_ONCE = 10;

/** Repeats a statement until it deletes nothing. @returns how many rows were deleted. */
async function deleteAll(db: D1Database, statement: Statement, line: ProgressLine): Promise<number> {
  const repeated = Array.from({ length: AT_ONCE }, () => statement);
  for (let total = 0; ; ) {
    const deleted = await runBatch(db, repeated);
    const count = deleted.flat().length;
    line.count(count);
    total += count;
    if (deleted.at(-1)?.length === 0) return total;
  }
}

const versionsText = (count: number): string => counted(count, 'former version');

async function deleteEach(db: D1Database, statements: readonly Statement[], target: Target): Promise<void> {
  const line = progressLine({ name: 'deleting former versions', thing: 'version' });
  let total = 0;
  for (const statement of statements) total += await deleteAll(db, statement, line);
  line.done(`deleted ${versionsText(total)} from the ${databaseName(target)}`);
}

/** Deletes what is too old, too many or too large by the settings. @throws UserError for settings without a history */
export async function pruneProject(root: string, target: Target): Promise<void> {
  const [settings, registry] = [await loadSettings(root), await storedRegistry(root)];
  if (settings.history === null) throw new UserError('edgewise.config.ts has no history, so it limits none');
  const surplus = [...registry.contentTypes.keys()].flatMap((uid) => {
    const kept = keptVersions(settings, uid);
    return kept ? [deleteSurplus(uid, kept.versions)] : [];
  });
  const old = deleteOld({ registry, settings, now: Date.now() });
  const statements = [old, ...surplus, deleteBeyond(historyBytes(settings))];
  const work = ({ db }: Storage) => deleteEach(db, statements, target);
  await whileClaimed(target, 'history prune', () => withStorage(root, target, work));
}

interface PurgeFlags extends Target {
  readonly type: string;
  readonly document?: string;
  readonly yes?: number;
}

/** Deletes all former versions of a type, or of a document. @throws UsageError for an unknown type */
export async function purgeProject(root: string, { type, document, yes, ...target }: PurgeFlags): Promise<void> {
  const uids = [...(await storedRegistry(root)).contentTypes.keys()];
  if (!uids.includes(type))
    throw new UsageError(`--type: no content type has the uid "${type}"${suggestion(type, uids)}`);
  const purged: PurgedVersions =
    document === undefined ? { kind: 'type', uid: type } : { kind: 'document', uid: type, documentId: document };
  const work = async ({ db }: Storage) => {
    const [[row] = []] = await runBatch(db, [countVersions(purged)]);
    const count = Number(row?.versions);
    const named = document === undefined ? type : `the document ${document} of ${type}`;
    if (count === 0) return progress(`the ${databaseName(target)} has no former versions of ${named}`);
    await confirmYes(count, `former ${plural(count, 'version')} of ${named} to delete for good`, yes);
    await deleteEach(db, [deleteVersions(purged)], target);
  };
  await whileClaimed(target, 'history purge', () => withStorage(root, target, work));
}
