/**
 * @module Does a local database hold anything that a change would lose? What is empty may change at will.
 */
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import type { Layout, Place, TypeLayout } from '../migrations/layout.ts';
import { identifier, jsonPath, literal } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';

const anyRow = (table: string, where?: string): string =>
  `SELECT 1 FROM ${identifier(table)}${where === undefined ? '' : ` WHERE ${where}`} LIMIT 1`;

function placeSql(table: string, name: string, place: Place): string {
  if (place.kind === 'links') return anyRow(place.table);
  const packed = place.kind === 'scalar' && place.overflow;
  const value = packed ? `${identifier(OVERFLOW_COLUMN)} ->> ${jsonPath(name)}` : identifier(place.column);
  return anyRow(table, place.kind === 'scalar' ? `${value} IS NOT NULL` : `${value} NOT IN ('null', '[]')`);
}

/** Instances stand in columns of many tables; a key that no instance has is nowhere in their text. */
function componentSql({ types }: Layout, name: string): readonly string[] {
  const key = literal(`"${name}":`);
  return Object.values(types).flatMap((type) =>
    Object.values(type.attributes).flatMap((place) =>
      place.kind === 'component' || place.kind === 'dynamiczone'
        ? [anyRow(type.table, `instr(${identifier(place.column)}, ${key})`)]
        : [],
    ),
  );
}

const typeOf = ({ types }: Layout, name: string): TypeLayout | undefined =>
  Object.entries(types).find(([uid]) => nameOfType(uid) === name)?.[1];

/** The statements of which one has a row if anything is stored; undefined: it cannot be told. */
function questions(layout: Layout, subject: string): readonly string[] | undefined {
  const whole = typeOf(layout, subject);
  if (whole) return [anyRow(whole.table)];
  const dot = subject.lastIndexOf('.');
  const [owner, name] = [subject.slice(0, dot), subject.slice(dot + 1)];
  const type = typeOf(layout, owner);
  const place = type?.attributes[name];
  if (type && place) return [placeSql(type.table, name, place)];
  if (layout.components[owner]) return componentSql(layout, name);
  return layout.components[subject] ? [] : undefined;
}

/**
 * Those of `subjects` (`article`, `article.lead`, `shared.seo.title`) of which something is stored, or may be.
 * @param layout of the tables as they are.
 */
export async function storedSubjects(
  db: D1Database,
  layout: Layout,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const subject of subjects) {
    const asked = questions(layout, subject);
    const answers = asked?.map((sql) => db.prepare(sql).first()) ?? [];
    const found = asked === undefined || (await Promise.all(answers)).some((row) => row !== null);
    if (found) stored.add(subject);
  }
  return stored;
}
