/**
 * @module The files that no document links to, hidden documents included: by an attribute, in a component or in a zone.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type ApiError, invalid } from '../../../common/errors.ts';
import { linkEnds } from '../../../content/plan/model/link-tables.ts';
import { type Compiled, mapped, query, together } from '../../../content/sql/compiled.ts';
import { balanced, columnOf, integer, literal, valuesOf } from '../../../content/sql/pieces.ts';
import { jsonRow } from '../../../content/sql/read/populate.ts';
import { toStatement } from '../../../content/sql/render.ts';
import { fitting, type PlainStatement } from '../../../content/sql/statement.ts';
import { hasComponents } from '../../../schema/attribute-kinds.ts';
import type { Registry } from '../../../schema/model.ts';
import { FILE_UID, systemType } from '../../../schema/system-types.ts';

type Read = <T>(compiled: Compiled<T>) => Promise<T>;

const idsOf = (statements: readonly PlainStatement[]): Compiled<readonly number[]> =>
  mapped(
    together(statements.map((statement) => query(statement, (rows) => rows.map(({ id }) => Number(id))))),
    (lists) => lists.flat(),
  );

/** Returns a condition for each table with components: no list of links in them names the file. */
const unnamed = ({ contentTypes }: Registry, file: SQL): readonly SQL[] =>
  [...contentTypes.values()].flatMap(({ table, attributes }) => {
    const columns = [...attributes.values()]
      .filter(hasComponents)
      .map(({ column }) => sql`json(${columnOf(table, column)})`);
    if (columns.length === 0) return [];
    return [
      sql`${file} not in (
        select "atom" from ${sql.identifier(table)}, json_tree(${jsonRow(columns)})
        where "key" = ${literal('documentId')} and "atom" is not null)`,
    ];
  });

/** Parts of a model whose links fit into one statement each. */
const MAX_PARTS = 5;

/** Files that the other parts examine at once, and how often: each read of the library is bounded. */
const WINDOW = 10_000;
const MAX_WINDOWS = 20;

/** Conditions that nothing of a part of the model links to the file. */
function conditionsOf(registry: Registry): readonly SQL[] {
  const type = systemType(registry, FILE_UID);
  const file = columnOf(type.table, 'document_id');
  const tables = linkEnds(type, registry).flatMap((end) => end.tables);
  const unlinked = tables.map(
    ({ name }) => sql`not exists (select 1 from ${sql.identifier(name)} where "target_document_id" = ${file})`,
  );
  return [...unlinked, ...unnamed(registry, file)];
}

const tooLarge = (): ApiError =>
  invalid(
    "This model has too many media attributes, or the library too many files, for 'unused=true'. Use npx edgewise media usage",
    { source: 'query', param: 'unused', limit: 'statements' },
  );

/**
 * Returns the ids of unused files, the newest first. Reads all rows with components. A model with more media attributes than
 * one statement has room for takes several: what is not used by some, and which of these files are used by the others.
 * @throws ApiError 400 for more than an invocation has room for
 */
export async function unusedFiles(registry: Registry, limit: number, read: Read): Promise<readonly number[]> {
  const { table } = systemType(registry, FILE_UID);
  const ids = (condition: SQL, rest = sql``): PlainStatement =>
    toStatement(sql`select "id" from ${sql.identifier(table)} where ${condition}${rest}`);
  const isUnused = (terms: readonly SQL[]): SQL => balanced(terms, 'and');
  const groups = fitting(conditionsOf(registry), (terms) => ({ ...ids(isUnused(terms)), terms }));
  const [{ terms } = { terms: [] }, ...others] = groups;
  if (groups.length > MAX_PARTS) throw tooLarge();
  const count = others.length > 0 ? WINDOW : limit;
  const found: number[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let window = 0; window < MAX_WINDOWS; window += 1) {
    const page = sql` and "id" < ${integer(before)} order by "id" desc limit ${integer(count)}`;
    const candidates = await read(idsOf([ids(isUnused(terms), page)]));
    const list = valuesOf(candidates);
    const used = others.map((each) => ids(sql`"id" in ${list} and not ${isUnused(each.terms)}`));
    const isUsed = new Set(candidates.length > 0 && used.length > 0 ? await read(idsOf(used)) : []);
    found.push(...candidates.filter((id) => !isUsed.has(id)));
    if (found.length >= limit || candidates.length < count) return found.slice(0, limit);
    before = candidates.at(-1) ?? 0;
  }
  throw tooLarge();
}
