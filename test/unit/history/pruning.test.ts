/**
 * @module One run of the cron trigger deletes a bounded number of former versions.
 */
import { expect, it } from 'vitest';
import type { SystemCall } from '../../../src/content/runtime/call.ts';
import { deleteOld, pruneHistory } from '../../../src/features/history/prune.ts';
import { MAX_DELETED } from '../../../src/features/history/sql/prune.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { keptVersions } from '../../../src/schema/settings/derived.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

/** Runs the trigger on a database whose statements delete so many rows one after another. */
async function statementsOf(deleted: (statement: number) => number): Promise<readonly string[]> {
  const sent: string[] = [];
  const write = async ([statement]: readonly { readonly sql: string }[]) => {
    sent.push(String(statement?.sql));
    return [Array.from({ length: deleted(sent.length) }, () => ({}))];
  };
  const settings = parseSettings({ history: true });
  await pruneHistory({ registry: registryOf([]), settings, now: 0, database: { write } } as never as SystemCall);
  return sent;
}

it.each<readonly [what: string, deleted: (statement: number) => number, statements: number, kinds: number]>([
  ['with nothing to delete asks once for each limit', () => 0, 2, 2],
  ['goes on while a statement deletes as much as it may', (at) => (at < 4 ? MAX_DELETED : MAX_DELETED - 1), 5, 2],
  ['ends after twenty statements, whatever is left', (at) => (at < 30 ? MAX_DELETED : 0), 20, 1],
])('a run %s', async (_, deleted, statements, kinds) => {
  const sent = await statementsOf(deleted);
  expect([sent.length, new Set(sent).size]).toEqual([statements, kinds]);
});

it('what is too old is counted from now by the days of each type, and nothing of a type without a history', () => {
  const registry = registryOf(['note', 'page', 'other'].map((name) => contentType(name, {})));
  const settings = parseSettings({ history: { 'api::note.note': { days: 2 }, 'api::page.page': true } });
  const now = Date.UTC(2026, 5, 1);
  const limits = [
    ['api::note.note', Date.UTC(2026, 4, 30)],
    ['api::page.page', now - (keptVersions(settings, 'api::page.page')?.days ?? 0) * 86_400_000],
  ];
  expect(deleteOld({ registry, settings, now }).params).toContain(JSON.stringify(limits));
});
