/**
 * @module The rows that the instances in a JSON column link to: the ids in all places of a column that lead to the same
 * rows, in one list, so that a read costs what the content has and not what a zone allows.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_TERMS } from '../../../common/d1-limits.ts';
import { isComponentNode, isMixedNode, isReference, isZoneNode } from '../../plan/model/node-kinds.ts';
import type {
  Populate,
  PopulatedBlocks,
  PopulatedReference,
  Selection,
  SharedTargets,
} from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList, literal, unionAll, valuesOf } from '../pieces.ts';
import { componentJson, isLocalized, localeOf, type RowScope } from '../scope.ts';
import { aliases } from './joins.ts';

/** A step below a column: to the value of a key, or to each entry of a list. */
type Step =
  | { readonly kind: 'key'; readonly name: string }
  /** @param component of the entries of a zone */
  | { readonly kind: 'entries'; readonly component?: string };

/** The steps to the links of a reference. */
interface Path {
  readonly steps: readonly Step[];
  /** Of a polymorphic relation, whose links name their type. */
  readonly type?: string;
}

const ENTRIES: Step = { kind: 'entries' };

function* pathsIn({ populate }: Selection, steps: readonly Step[]): Generator<readonly [PopulatedReference, Path]> {
  for (const node of populate) yield* pathsTo(node, [...steps, { kind: 'key', name: node.name }]);
}

function* pathsTo(node: Populate, steps: readonly Step[]): Generator<readonly [PopulatedReference, Path]> {
  const links = [...steps, ENTRIES];
  if (isReference(node)) yield [node, { steps: links }];
  else if (isComponentNode(node)) yield* pathsIn(node.selection, node.attribute.repeatable ? links : steps);
  else if (isZoneNode(node))
    for (const [component, part] of node.parts) yield* pathsIn(part, [...steps, { kind: 'entries', component }]);
  else if (isMixedNode(node))
    for (const part of node.parts) if (part.kind === 'reference') yield [part, { steps: links, type: part.target.uid }];
}

const shapeOf = ({ steps, type = '' }: Path): string => `${steps.map(({ kind }) => kind).join()} ${type}`;

/** JSON functions fail for a text, which the same key may have in another component. */
const ifIs = (kind: 'array' | 'object', alias: string): SQL =>
  sql`iif(${columnOf(alias, 'type')} = ${literal(kind)}, ${columnOf(alias, 'value')}, null)`;

/** Selects of links: documentId, and locale if the target has locales. */
function linksFrom(lists: readonly SQL[], terms: readonly SQL[], link: SQL, localized: boolean, scope: RowScope): SQL {
  const documentId = sql`${link} ->> '$.documentId'`;
  const named = sql`${link} ->> '$.locale'`;
  const locale = isLocalized(scope) ? sql`coalesce(nullif(${named}, ''), ${localeOf(scope)})` : named;
  const where = terms.length > 0 ? sql` where ${balanced(terms, 'and')}` : sql``;
  return sql`select ${localized ? sql`${documentId}, ${locale}` : documentId} from ${commaList(lists)}${where}`;
}

/**
 * Returns a query of the links at several paths of one shape: documentId, and locale if the target has locales. It finds a
 * superset, of which `document/` picks those of each instance: a key of one path may be followed by a key of another.
 */
function linksAt(paths: readonly Path[], column: SQL, localized: boolean, scope: RowScope): SQL {
  const { item } = aliases(scope);
  const [{ steps, type } = { steps: [] }] = paths;
  const [lists, terms]: [SQL[], SQL[]] = [[], []];
  let json = column;
  let at = '$';
  steps.forEach(({ kind }, index) => {
    const here = paths.map((path) => path.steps[index]);
    const names = [...new Set(here.flatMap((step) => (step?.kind === 'key' ? step.name : [])))];
    if (names.length === 1) {
      at += `."${names[0]}"`;
      return;
    }
    const alias = `${item}_${lists.length}`;
    const each = at === '$' ? sql`json_each(${json})` : sql`json_each(${json}, ${at})`;
    lists.push(sql`${each} as ${sql.identifier(alias)}`);
    if (kind === 'key') terms.push(sql`${columnOf(alias, 'key')} in ${valuesOf(names)}`);
    const next = kind === 'key' && steps[index + 1]?.kind === 'entries' ? 'array' : 'object';
    // The first list is in the same place in every row.
    json = lists.length === 1 ? columnOf(alias, 'value') : ifIs(next, alias);
    at = '$';
  });
  if (type !== undefined) terms.push(sql`${json} ->> '$.type' = ${literal(type)}`);
  return linksFrom(lists, terms, json, localized, scope);
}

/** Returns a query of the links at all depths: those of the last keys of the paths. */
function linksAnywhere(paths: readonly Path[], column: SQL, localized: boolean, scope: RowScope): SQL {
  const { item } = aliases(scope);
  const [value, each] = [`${item}_0`, `${item}_1`];
  const names = new Set(paths.map(({ steps }) => steps.at(-2)).map((step) => (step?.kind === 'key' ? step.name : '')));
  const lists = [
    sql`json_tree(${column}) as ${sql.identifier(value)}`,
    sql`json_each(${ifIs('array', value)}) as ${sql.identifier(each)}`,
  ];
  const terms = [sql`${columnOf(value, 'key')} in ${valuesOf([...names])}`];
  return linksFrom(lists, terms, ifIs('object', each), localized, scope);
}

/** Returns what the references of a column share, each with the condition that a row is linked. @param alias of the row */
export function linkedFrom(
  node: PopulatedBlocks,
  scope: RowScope,
  alias: string,
): readonly (readonly [SharedTargets, SQL])[] {
  const column = componentJson(node.attribute, scope);
  const paths = new Map(pathsTo(node, []));
  return (node.shared ?? []).map((shared) => {
    const [{ target }] = shared.references;
    const own = shared.references.flatMap((reference) => paths.get(reference) ?? []);
    const alike = [...Map.groupBy(own, shapeOf).values()];
    const links =
      alike.length > MAX_TERMS
        ? linksAnywhere(own, column, target.localized, scope)
        : unionAll(alike.map((each) => linksAt(each, column, target.localized, scope)));
    const ids = columnOf(alias, 'document_id');
    const row = target.localized ? sql`(${ids}, ${columnOf(alias, 'locale')})` : ids;
    return [shared, sql`${row} in (${links})`];
  });
}
