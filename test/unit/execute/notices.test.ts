/**
 * @module What follows a commit: notices of features and to code of the project, links that are left, purges that are noted.
 */
import { describe, expect, it, vi } from 'vitest';
import type { DeletedRows } from '../../../src/content/plan/model/write-plan.ts';
import { planDelete } from '../../../src/content/plan/write/plan-delete.ts';
import type { Call, SystemCall } from '../../../src/content/runtime/call.ts';
import { deleteLeftLinks } from '../../../src/content/runtime/left-links.ts';
import { noticesOf, purgeNoted } from '../../../src/content/runtime/notices.ts';
import type { Row, Statement } from '../../../src/content/sql/statement.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';

const TYPE = 'api::note.note';

/** A type with so many tables of links. */
const typeWith = (ends: number): Registry => {
  const links = Array.from({ length: ends }, (_, index) => [`l${index}`, relation('oneToOne', 'other')]);
  return registryOf([contentType('note', Object.fromEntries(links)), contentType('other', {})]);
};

/** A database that reads one row, and writes later. */
function openDatabase(rowOf: () => Row | undefined, onWrite: (last: Statement) => void = () => {}) {
  const written: (readonly Statement[])[] = [];
  const read = vi.fn(async () => [[rowOf()].filter((row) => row !== undefined)]);
  const write = async (statements: readonly Statement[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    written.push(statements);
    onWrite(statements.at(-1) as Statement);
    return [];
  };
  return { database: { read, write } as unknown as Call['database'], read, written };
}

describe('links that a deletion has left', () => {
  /** The number of statements of each step until the task has ended. */
  async function stepsOf(registry: Registry, documentId: string | null) {
    let task: object | undefined = { uid: TYPE, documentId, after: '' };
    const rowOf = () => task && { id: 5, argument: JSON.stringify(task) };
    const { database, written } = openDatabase(rowOf, ({ sql, params }) => {
      expect(JSON.stringify(params)).toContain('5');
      if (sql.startsWith('update')) task = { ...task, after: params[0] };
      else task = undefined;
    });
    for (let step = 0; task && step < 5; step += 1) await deleteLeftLinks({ database, registry });
    await deleteLeftLinks({ database, registry });
    return written;
  }

  it.each([
    [299, [300]],
    [300, [301, 1]],
    [301, [301, 2]],
  ])('on %i ends are deleted in steps of %j statements, of which the last ends the task', async (ends, sizes) => {
    const steps = await stepsOf(typeWith(ends), 'a');
    expect(steps.map(({ length }) => length)).toEqual(sizes);
    expect(new Set(steps.flatMap((step) => step.slice(0, -1)).map(({ sql }) => sql)).size).toBe(ends);
  });

  it.each([
    ['a document', 'a', true],
    ['all deleted rows', null, false],
  ])('are those of %s', async (_, documentId, isNamed) => {
    const [[unlink] = []] = await stepsOf(typeWith(1), documentId);
    expect(unlink?.params.includes('a')).toBe(isNamed);
  });

  it('of a type that is gone stay, and their task ends', async () => {
    const steps = await stepsOf(registryOf([contentType('other', {})]), 'a');
    expect(steps.map((step) => step.map(({ sql }) => sql))).toEqual([[expect.stringContaining('edgewise_tasks')]]);
  });
});

describe('notices of a deletion', () => {
  const planOf = (registry: Registry) => {
    const type = registry.contentTypes.get(TYPE) as ContentType;
    return planDelete({ kind: 'document', type, document: namedDocument('a') } satisfies DeletedRows, registry);
  };

  it('read the deleted rows for code of the project alone', () => {
    const registry = typeWith(1);
    const call = { registry, features: [] } as unknown as Call;
    const afterCommit = vi.fn();
    expect(noticesOf(planOf(registry), call).before).toEqual([]);
    const { before } = noticesOf(planOf(registry), { ...call, hooks: { beforeWrite: () => undefined, afterCommit } });
    expect(before).toHaveLength(1);
  });

  it.each([
    [400, 0],
    [401, 1],
  ])('with %i tables of links leave %i step for after the response', async (ends, steps) => {
    const registry = typeWith(ends);
    const afterResponse = vi.fn();
    const call = { registry, features: [], afterResponse } as unknown as Call;
    noticesOf(planOf(registry), call).committed([], { kind: 'code', grants: { allows: () => true } });
    const { database, read } = openDatabase(() => undefined);
    for (const [work] of afterResponse.mock.calls) await work(database);
    expect(read).toHaveBeenCalledTimes(steps);
  });
});

describe('a noted purge', () => {
  const CACHED = { [TYPE]: { maxAge: 60 } };
  it.each([
    ['is not read where no cache is shared', {}, 's', true, [0, undefined, 0]],
    ['is none without a note', CACHED, undefined, true, [1, undefined, 0]],
    ['ends when all is purged', CACHED, 's', true, [1, 4, 1]],
    ['is tried again when it fails', CACHED, 's', false, [1, 4, 0]],
  ] as const)('%s', async (_, cache, stamp, isPurged, expected) => {
    const { database, read, written } = openDatabase(() => (stamp === undefined ? undefined : { stamp }));
    const purge = vi.fn(async (_names: readonly string[]) => isPurged);
    const settings = parseSettings({ cache });
    await purgeNoted({ settings, registry: typeWith(0), database, purge } as unknown as SystemCall);
    const [names] = purge.mock.lastCall ?? [];
    const own = names?.filter((name) => name.startsWith('api::'));
    expect([read.mock.calls.length, own?.length, written.flat().length]).toEqual(expected);
    if (own) expect(own).toEqual(expect.arrayContaining([`${TYPE} draft`, `${TYPE} published`]));
  });
});
