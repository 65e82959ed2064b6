/**
 * @module Links between rows and files, in SQLite: those that an upload makes, and the rows that use a file.
 */
import type { SQLInputValue } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { tableOf } from '../../../src/content/plan/model/link-tables.ts';
import type { LinkTable } from '../../../src/content/plan/model/links.ts';
import type { Condition, FileUsage } from '../../../src/content/plan/model/read-plan.ts';
import type { NamedRow } from '../../../src/content/plan/model/write-plan.ts';
import { ownedLinks } from '../../../src/content/sql/read/kept-links.ts';
import { populateValues } from '../../../src/content/sql/read/populate.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import { rowScope } from '../../../src/content/sql/scope.ts';
import type { Rendered } from '../../../src/content/sql/statement.ts';
import { assertRow, existingRow } from '../../../src/content/sql/write/attach-rows.ts';
import { compileWrite } from '../../../src/content/sql/write/mutate.ts';
import { selectRemovals, selectShared } from '../../../src/content/sql/write/row-changes.ts';
import { continueTask, endTasks, insertTasks, selectLeftLinks } from '../../../src/content/sql/write/tasks.ts';
import { namedDocument, single } from '../../../src/schema/document-ref.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { type MemoryWorld, memoryWorld } from '../../support/memory-app.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';
import { storyRegistry as registry } from '../../support/story-model.ts';

const story = typeAt('stories', registry);
const file = registry.contentTypes.get(FILE_UID) ?? story;
const tableAt = (name: string): LinkTable => {
  const table = tableOf(story.attributes.get(name) as never, story, registry);
  if (!table) throw new Error(`no links of ${name}`);
  return table;
};
const [cover, gallery] = [tableAt('cover'), tableAt('gallery')];

let { sqlite }: Pick<MemoryWorld, 'sqlite'> = await memoryWorld(registry);
const run = ({ sql: text, params }: Rendered) => sqlite.prepare(text).all(...(params as SQLInputValue[]));

beforeEach(async () => {
  ({ sqlite } = await memoryWorld(registry));
  const insert = sqlite.prepare(
    'insert into stories (id, document_id, locale, published_at, created_at, updated_at, title) values (?, ?, ?, ?, ?, ?, ?)',
  );
  insert.run(1, 'one', 'en', null, 10, 20, 'draft');
  insert.run(2, 'one', 'en', 5, 11, 21, 'published');
  insert.run(3, 'one', 'fr', 5, 12, 22, 'publié');
  insert.run(4, 'two', 'en', 5, 13, 23, 'other');
  for (const name of ['a', 'b', 'c'])
    sqlite.prepare(`insert into files (document_id, locale, published_at) values (?, '', 1)`).run(name);
});

const version: NamedRow = { kind: 'version', document: namedDocument('one'), locale: 'en', status: 'published' };
const attach = (row: NamedRow, table: LinkTable, files: readonly string[], isList: boolean) => {
  for (const statement of compileWrite([{ kind: 'attach', row, table, files, isList }])) run(statement);
};
const linksIn = ({ name }: LinkTable) =>
  run(toStatement(sql`select * from ${sql.identifier(name)} order by "position", "inverse_position"`)).map(
    ({ source_document_id: id, source_locale: locale, status, target_document_id: target, ...row }) =>
      `${id}/${locale}/${status} ${target} ${Number(row.position) / 65_536} ${Number(row.inverse_position) / 65_536}`,
  );

describe('an upload for a row', () => {
  it('appends its files to a list, behind those that are there, and leaves one that is there', () => {
    attach(version, gallery, ['a', 'b'], true);
    attach(version, gallery, ['b', 'c'], true);
    expect(linksIn(gallery)).toEqual(['one/en/published a 1 1', 'one/en/published b 2 1', 'one/en/published c 3 1']);
  });

  it('takes the place of one file, by the last one, in the version of the row alone', () => {
    attach({ kind: 'id', id: 1 }, cover, ['a'], false);
    attach(version, cover, ['a'], false);
    attach({ kind: 'id', id: 4 }, cover, ['a'], false);
    attach({ kind: 'id', id: 2 }, cover, ['b', 'c'], false);
    expect(linksIn(cover).sort()).toEqual(['one/en/draft a 1 1', 'one/en/published c 1 1', 'two/en/published a 1 2']);
  });

  it('links nothing without the row', () => {
    attach({ kind: 'id', id: 9 }, gallery, ['a'], true);
    expect(linksIn(gallery)).toEqual([]);
  });

  it.each<[string, NamedRow, boolean]>([
    ['by its id', { kind: 'id', id: 4 }, true],
    ['by an id of no row', { kind: 'id', id: 9 }, false],
    ['by its version', version, true],
    ['in another version', { ...version, locale: 'fr', status: 'draft' }, false],
    ['of another document', { ...version, document: namedDocument('nine') }, false],
  ])('finds a row %s, or aborts', (_, row, isThere) => {
    const { statements, decode } = existingRow(row, cover);
    expect(decode(statements.map(run))).toBe(isThere);
    const asserted = () => run(assertRow(row, cover, 'NO_ROW'));
    if (isThere) asserted();
    else expect(asserted).toThrow('NO_ROW');
  });
});

describe('the rows that use a file', () => {
  const usesOf = (name: string, more: Partial<FileUsage> = {}) => {
    const attributes = [scalarOf(story, 'title')];
    const use: FileUsage = { type: story, tables: [cover, gallery], attributes, drafts: true, ...more };
    const node = { kind: 'related', name: 'related', uses: [use] } as never;
    const [values = sql`null`] = populateValues([node], rowScope(file), undefined);
    const [row] = run(toStatement(sql`select ${values} as "rows" from "files" where "document_id" = ${name}`));
    const rows: readonly (readonly unknown[])[] = JSON.parse(String(row?.rows));
    return rows.map((each) => each.flat()).sort((a, b) => String(a[3]).localeCompare(String(b[3])));
  };

  beforeEach(() => {
    attach({ kind: 'id', id: 1 }, cover, ['a'], false);
    attach(version, gallery, ['a'], true);
    attach({ kind: 'id', id: 4 }, gallery, ['b'], true);
  });

  it('have a mark for each attribute, and the time since which they do: a published one its last publication', () => {
    expect(usesOf('a')).toEqual([
      [10, 1, 0, 1, 'one', 'en', 'draft'],
      [21, 0, 1, 2, 'one', 'en', 'published'],
      [22, 0, 0, 3, 'one', 'fr', 'publié'],
    ]);
    expect(usesOf('b')).toEqual([[23, 0, 1, 4, 'two', 'en', 'other']]);
    expect(usesOf('c')).toEqual([]);
  });

  it('are those of the given attributes, without drafts for a caller who may not read them', () => {
    expect(usesOf('a', { tables: [cover] }).map(([, , id]) => id)).toEqual([1, 2, 3]);
    expect(usesOf('b', { tables: [cover] })).toEqual([]);
    expect(usesOf('a', { drafts: false }).map(([, , , id]) => id)).toEqual([2, 3]);
  });

  it('are those that the caller may see', () => {
    const attribute = scalarOf(story, 'title');
    const visible: Condition = { kind: 'compare', attribute, operator: '$eq', operands: ['draft'] };
    expect(usesOf('a', { visible }).map(([, , , id]) => id)).toEqual([1]);
  });
});

it('the links that an entry of the history keeps are those that a document owns, with all that restores them', () => {
  const kept = new Map(ownedLinks(story).map(({ name, ...links }) => [name, links]));
  expect([...kept.keys()]).toEqual(['topics', 'author', 'sequel', 'picks', 'room', 'items', 'cover', 'gallery']);
  const columns = ['status', 'target_document_id', 'target_locale', 'position', 'inverse_position'];
  expect(kept.get('topics')).toEqual({ links: 'stories_topics_lnk', columns });
  expect(kept.get('items')).toEqual({ links: 'stories_items_mph', columns: [...columns, 'target_type'] });
});

describe('links that are left to delete', () => {
  const left = () => selectLeftLinks.decode(selectLeftLinks.statements.map(run));
  const leave = (rows: object, after: string) => {
    for (const statement of compileWrite([{ kind: 'leave-links', ends: [], after, rows } as never])) run(statement);
  };

  it('are a task of the document, or of all rows that no longer exist, which goes on after a key and ends', () => {
    expect(left()).toBeUndefined();
    leave({ kind: 'document', type: story, document: namedDocument('one') }, 'a');
    leave({ kind: 'ids', type: story, ids: [1] }, 'b');
    leave({ kind: 'document', type: typeAt('home', registry), document: single(typeAt('home', registry)) }, 'c');
    expect(left()).toEqual({ uid: story.uid, documentId: 'one', after: 'a', task: 1 });
    run(continueTask(1, 'd'));
    expect(left()).toMatchObject({ after: 'd', task: 1 });
    run(endTasks([1]));
    expect(left()).toEqual({ uid: story.uid, documentId: null, after: 'b', task: 2 });
    run(endTasks([2]));
    expect(left()).toEqual({ uid: 'api::home.home', documentId: null, after: 'c', task: 3 });
    run(endTasks([3]));
    run(insertTasks(sql`values ('file', '{}')`));
    expect(left()).toBeUndefined();
  });
});

it('reports the rows that a deletion removes, and those that follow another locale, by their versions', () => {
  const read = ({ statements, decode }: ReturnType<typeof selectRemovals>) =>
    decode(statements.map(run)).map(({ documentId, locale, version: status }) => [documentId, locale, status]);
  const of = { type: story, document: namedDocument('one') };
  expect(read(selectRemovals({ operation: 'delete', rows: { kind: 'document', ...of } } as never))).toEqual([
    ['one', 'en', 'draft'],
    ['one', 'en', 'published'],
    ['one', 'fr', 'published'],
  ]);
  const row = { ...of, locale: 'en', status: 'published' };
  expect(read(selectShared({ operation: 'update', row } as never))).toEqual([['one', 'fr', 'published']]);
});
