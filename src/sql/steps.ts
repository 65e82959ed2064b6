/**
 * @module From a row or an instance to what its relations lead to: joins, and which version and locale they mean.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LinkStep, Via } from '../plan/read-plan.ts';
import type { ContentType } from '../registry/model.ts';
import type { Status } from '../request/query-params.ts';
import { isLocalized, jsonOf, localeOf, rowScope, type Scope } from './scope.ts';
import { balanced, columnOf, identifier } from './statement.ts';
import { endsOf, isEnd, isLinkVersion, isVersion } from './versions.ts';

/** The rows behind a step, seen from one row or instance. */
export interface Joined {
  /** `from` clause; with `where` it finds the rows that belong to the scope. */
  readonly from: SQL;
  readonly where: SQL;
  /** The stored order. */
  readonly order: SQL;
  readonly scope: Scope;
}

/** Names of one level; statements of different levels never meet. */
export const aliases = (scope: Scope) => {
  const depth = scope.depth + 1;
  return { depth, target: `$t${depth}`, link: `$l${depth}`, source: `$s${depth}`, item: `$j${depth}` };
};

/** `left.locale = …`: the locale that a link names, or that its source has. */
function followsLocale(target: ContentType, alias: string, named: SQL, source: SQL, localizedSource: boolean): SQL[] {
  if (!target.localized) return [];
  return [
    sql`${columnOf(alias, 'locale')} = ${localizedSource ? sql`coalesce(nullif(${named}, ''), ${source})` : named}`,
  ];
}

/** The rows at the other end, in the version that is meant. */
function linked(step: LinkStep, scope: Extract<Scope, { kind: 'row' }>): Joined {
  const { depth, target, link } = aliases(scope);
  const { near, far } = endsOf(step.owner);
  const column = (name: string) => columnOf(link, name);
  return {
    from: sql`${identifier(step.table.name)} as ${identifier(link)}
      join ${identifier(step.target.table)} as ${identifier(target)}
        on ${balanced([isEnd(link, far, target), isVersion(target, step.status)], 'and')}`,
    where: balanced([isEnd(link, near, scope.alias), isLinkVersion(link, step.version)], 'and'),
    order: sql`${column(near.position)}, ${column('rowid')}`,
    scope: rowScope(step.target, target, depth),
  };
}

function referenced(via: Extract<Via, { kind: 'reference' }>, scope: Extract<Scope, { kind: 'instance' }>): Joined {
  const { depth, target, item } = aliases(scope);
  const reference = columnOf(item, 'value');
  const terms = [
    sql`${columnOf(target, 'document_id')} = (${reference} ->> '$.documentId')`,
    isVersion(target, via.status),
  ];
  terms.push(
    ...followsLocale(via.target, target, sql`(${reference} ->> '$.locale')`, localeOf(scope), isLocalized(scope)),
  );
  return {
    from: sql`json_each(${jsonOf(scope.json, via.attribute.name)}) as ${identifier(item)}
      join ${identifier(via.target.table)} as ${identifier(target)} on ${balanced(terms, 'and')}`,
    where: sql`1`,
    order: columnOf(item, 'key'),
    scope: rowScope(via.target, target, depth),
  };
}

function otherLocales(type: ContentType, status: Status, scope: Extract<Scope, { kind: 'row' }>): Joined {
  const { depth, target } = aliases(scope);
  const terms = [
    sql`${columnOf(target, 'document_id')} = ${columnOf(scope.alias, 'document_id')}`,
    sql`${columnOf(target, 'locale')} <> ${columnOf(scope.alias, 'locale')}`,
    isVersion(target, status),
  ];
  return {
    from: sql`${identifier(type.table)} as ${identifier(target)}`,
    where: balanced(terms, 'and'),
    order: columnOf(target, 'id'),
    scope: rowScope(type, target, depth),
  };
}

/** @returns the rows a relation, media attribute or `localizations` leads to. */
export function joinOf(via: Exclude<Via, { kind: 'component' }>, scope: Scope): Joined {
  if (via.kind === 'reference' && scope.kind === 'instance') return referenced(via, scope);
  if (via.kind === 'localizations' && scope.kind === 'row') return otherLocales(via.type, via.status, scope);
  if (via.kind === 'link' && scope.kind === 'row') return linked(via.link, scope);
  throw new Error(`no ${via.kind} leads out of a ${scope.kind}`);
}
