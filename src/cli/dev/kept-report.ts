/**
 * @module What a local database keeps that the files do not have any more: by name, and how it goes for good.
 */
import type { Layout } from '../migrations/layout.ts';
import { literal } from '../migrations/sql-text.ts';
import { KEPT, type KeptGroup } from './kept-table.ts';
import { typeWithTable } from './push-changes.ts';

export interface KeptSubject {
  /** `article.lead`, `shared.seo.title`, or `article` for the type. */
  readonly subject: string;
  /** Of a type that is kept. */
  readonly table?: string;
}

/** Has the layout no place for the entries? */
const isHomeless = ({ kind, table, attribute }: KeptGroup, layout: Layout): boolean => {
  const type = typeWithTable(layout, table);
  return !type || (kind !== 'row' && !type.attributes[attribute]);
};

/** What is kept and has no place in a layout. @param hidden attributes of components. */
export function keptSubjects(
  groups: readonly KeptGroup[],
  hidden: Layout['components'],
  layout: Layout,
): readonly KeptSubject[] {
  const homeless = groups.filter((group) => group.rows > 0 && isHomeless(group, layout));
  const types = homeless.filter(({ kind }) => kind === 'row').map(({ subject, table }) => ({ subject, table }));
  const attributes = homeless.filter(({ table }) => typeWithTable(layout, table)).map(({ subject }) => subject);
  const inComponents = Object.entries(hidden).flatMap(([uid, places]) =>
    Object.keys(places)
      .filter((name) => !layout.components[uid]?.[name])
      .map((name) => `${uid}.${name}`),
  );
  return [...types, ...[...new Set([...attributes, ...inComponents])].map((subject) => ({ subject }))];
}

/** The entries that go with what a migration drops. @param dropped subjects. */
export const droppedGroups = (
  groups: readonly KeptGroup[],
  dropped: ReadonlySet<string>,
  layout: Layout,
): readonly KeptGroup[] =>
  groups
    .filter(({ subject }) => dropped.has(subject) || dropped.has(subject.replace(/\..*$/, '')))
    .filter((group) => isHomeless(group, layout));

export const forgetSql = (groups: readonly KeptGroup[]): readonly string[] =>
  groups.map(({ kind, table, attribute }) => {
    const own = `"kind" = ${literal(kind)} AND "table" = ${literal(table)} AND "attribute" = ${literal(attribute)}`;
    return `DELETE FROM ${KEPT} WHERE ${own}`;
  });
