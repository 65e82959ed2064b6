/**
 * @module Steps from a row or an instance to the rows of its relations, in the version and locale of the plan.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../../../schema/model.ts';
import { isLink, isLocalizations, isReference } from '../../plan/model/node-kinds.ts';
import type { Condition, LinkWalk, PopulatedTypes, Step } from '../../plan/model/read-plan.ts';
import type { Status } from '../../request/query-params.ts';
import { joined } from '../drizzle-pieces.ts';
import { balanced, columnOf, commaList, literal } from '../pieces.ts';
import { type InstanceScope, isLocalized, jsonOf, localeOf, type RowScope, rowScope, type Scope } from '../scope.ts';
import { isLinked, isLinkVersion, isVersion, sidesOf, statusColumn } from '../versions.ts';

/** The rows behind a step. */
export interface Joined {
  /** Tables of the `from` clause; `where` joins them to the scope. */
  readonly from: SQL;
  readonly where: SQL;
  /** Values of the stored order. */
  readonly rank: readonly SQL[];
  readonly scope: RowScope;
}

/** Unique aliases for each level. */
export const aliases = (scope: Scope) => {
  const depth = scope.depth + 1;
  return {
    depth,
    target: `$t${depth}`,
    link: `$l${depth}`,
    source: `$s${depth}`,
    item: `$j${depth}`,
    chosen: `$c${depth}`,
  };
};

/** The locale of a link, or else of its source. */
const isReferencedLocale = (alias: string, named: SQL, scope: InstanceScope): SQL =>
  sql`${columnOf(alias, 'locale')} = ${isLocalized(scope) ? sql`coalesce(nullif(${named}, ''), ${localeOf(scope)})` : named}`;

const inEither = (term: (status: Status) => SQL): SQL => sql`((${term('draft')}) or (${term('published')}))`;

/** Link and target in the versions of the plan, or both in the same version. */
export function versionTerms(walk: LinkWalk, link: string, target: string) {
  if (!walk.bothVersions) {
    // Elsewhere the link is compared with the version of its row.
    const isLink = walk.ofOwnVersion ? [] : [isLinkVersion(link, walk.version)];
    return { isLink, isTarget: isVersion(target, walk.status) };
  }
  const inBoth = (status: Status) => sql`${isLinkVersion(link, status)} and ${isVersion(target, status)}`;
  return { isLink: [], isTarget: walk.target.draftAndPublish ? inEither(inBoth) : isVersion(target, 'published') };
}

function linked(walk: LinkWalk, scope: RowScope): Joined {
  const { depth, target, link } = aliases(scope);
  const { own, other } = sidesOf(walk);
  const column = (name: string) => columnOf(link, name);
  const { isLink, isTarget } = versionTerms(walk, link, target);
  const sameVersion = walk.ofOwnVersion ? [sql`${column('status')} = ${statusColumn(scope.alias)}`] : [];
  return {
    from: sql`${sql.identifier(walk.table.name)} as ${sql.identifier(link)}
      join ${sql.identifier(walk.target.table)} as ${sql.identifier(target)}
        on ${balanced([isLinked(link, other, target), isTarget], 'and')}`,
    where: balanced([isLinked(link, own, scope.alias), ...isLink, ...sameVersion], 'and'),
    rank: [column(own.position), column('rowid')],
    scope: rowScope(walk.target, target, depth),
  };
}

type Reference = Extract<Step, { kind: 'reference' }>;

/** Each version is spelled for its partial index. */
function referencedVersion(step: Reference, isDocument: SQL, target: string, { row }: InstanceScope): SQL {
  const { bothVersions, ofOwnVersion, status } = step;
  const own = (version: Status) => (ofOwnVersion ? sql` and ${isVersion(row, version)}` : sql``);
  const isOf = (version: Status) => sql`${isDocument} and ${isVersion(target, version)}`;
  if (!step.target.draftAndPublish) return isOf('published');
  return bothVersions ? inEither((version) => sql`${isOf(version)}${own(version)}`) : isOf(status);
}

function referenced(step: Reference, scope: InstanceScope): Joined {
  const { depth, target, item } = aliases(scope);
  const reference = columnOf(item, 'value');
  const isDocument = sql`${columnOf(target, 'document_id')} = (${reference} ->> '$.documentId')`;
  const named = sql`(${reference} ->> '$.locale')`;
  const terms = [
    referencedVersion(step, isDocument, target, scope),
    ...(step.target.localized ? [isReferencedLocale(target, named, scope)] : []),
  ];
  return {
    from: sql`json_each(${jsonOf(scope.json, step.attribute.name)}) as ${sql.identifier(item)}
      join ${sql.identifier(step.target.table)} as ${sql.identifier(target)} on ${balanced(terms, 'and')}`,
    where: sql`1`,
    // `document/` orders what components link to.
    rank: [],
    scope: rowScope(step.target, target, depth),
  };
}

function otherLocales(type: ContentType, status: Status, scope: RowScope): Joined {
  const { depth, target } = aliases(scope);
  const terms = [
    sql`${columnOf(target, 'document_id')} = ${columnOf(scope.alias, 'document_id')}`,
    sql`${columnOf(target, 'locale')} <> ${columnOf(scope.alias, 'locale')}`,
    isVersion(target, status),
  ];
  return {
    from: sql`${sql.identifier(type.table)} as ${sql.identifier(target)}`,
    where: balanced(terms, 'and'),
    rank: [columnOf(target, 'locale')],
    scope: rowScope(type, target, depth),
  };
}

function rowsOf(step: Exclude<Step, { kind: 'component' }>, scope: Scope): Joined {
  if (isReference(step) && scope.kind === 'instance') return referenced(step, scope);
  if (isLocalizations(step) && scope.kind === 'row') return otherLocales(step.type, step.status, scope);
  if (isLink(step) && scope.kind === 'row') return linked(step.link, scope);
  throw new Error(`no ${step.kind} leads out of a ${scope.kind}`);
}

type TypedPart = PopulatedTypes['parts'][number] & { readonly kind: 'link' };
export type TypedParts = readonly [TypedPart, ...TypedPart[]];

/** The links of a row to several types. */
export interface TypedLinks extends Omit<Joined, 'scope'> {
  /** Of the target of a link; null for one that does not exist, or that the caller may not find. */
  readonly value: SQL;
}

/**
 * @param compile compiles the condition of the targets that the caller may find
 * @param select returns the value of a target
 */
export function typedLinks(
  parts: TypedParts,
  scope: RowScope,
  compile: (condition: Condition, scope: Scope) => SQL,
  select: (part: TypedPart, target: RowScope) => SQL,
): TypedLinks {
  const { depth, target, link } = aliases(scope);
  const column = (name: string) => columnOf(link, name);
  const type = column('target_type');
  const [first] = parts;
  const { own, other } = sidesOf(first.link);
  const versions = [...Map.groupBy(parts, (part) => part.link.version)].map(([version, same]) => {
    const uids = commaList(same.map((part) => literal(part.link.target.uid)));
    return sql`${isLinkVersion(link, version)} and ${type} in (${uids})`;
  });
  const cases = parts.map((part) => {
    const { link: walk, visible } = part;
    const inner = rowScope(walk.target, target, depth);
    const isTarget = isLinked(link, { ...other, targetType: undefined }, target);
    const terms = [isTarget, isVersion(target, walk.status), ...(visible ? [compile(visible, inner)] : [])];
    return sql` when ${literal(walk.target.uid)} then (
      select ${select(part, inner)}
      from ${sql.identifier(walk.target.table)} as ${sql.identifier(target)}
      where ${balanced(terms, 'and')}
    )`;
  });
  return {
    from: sql`${sql.identifier(first.link.table.name)} as ${sql.identifier(link)}`,
    where: balanced([isLinked(link, own, scope.alias), balanced(versions, 'or')], 'and'),
    rank: [column(own.position), column('rowid')],
    value: sql`case ${type}${joined(cases)} end`,
  };
}

/** 1 for a link whose target the caller may see, and null for any other. */
export const seenLinks = (
  parts: TypedParts,
  scope: RowScope,
  compile: (condition: Condition, scope: Scope) => SQL,
): SQL => typedLinks(parts, scope, compile, () => sql`1`).value;

/** @param compile compiles the condition of the targets that the caller may find */
export function joinOf(
  step: Exclude<Step, { kind: 'component' }>,
  scope: Scope,
  compile: (condition: Condition, scope: Scope) => SQL,
): Joined {
  const joined = rowsOf(step, scope);
  if (!step.visible) return joined;
  return { ...joined, where: balanced([joined.where, compile(step.visible, joined.scope)], 'and') };
}
