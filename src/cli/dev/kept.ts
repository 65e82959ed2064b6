/**
 * @module What leaves the tables of a local database with a save, or changes its form in them, is set aside first.
 */
import type { Layout, TypeLayout } from '../migrations/layout.ts';
import { literal } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { type Form, formName, formOf } from './forms.ts';
import type { Forms, KeptGroup, KeptKind } from './kept-table.ts';
import { type Attribute, type Changes, typeWithTable } from './push-changes.ts';
import { clearNulls, copyAttribute, moveRows, type Rows } from './set-aside.ts';
import { firstDocument } from './versions.ts';

export interface Aside {
  readonly statements: readonly string[];
  /** What the statements put in; `rows` is not counted. */
  readonly groups: readonly KeptGroup[];
  readonly forms: Forms;
  /** Of which rows move. */
  readonly tables: readonly string[];
}

interface Options {
  readonly before: Layout;
  readonly after: Layout;
  readonly defaultLocale: string;
  /** Subjects of which something is stored and would go. */
  readonly lost: ReadonlySet<string>;
  /** Subjects that a migration may lose. */
  readonly dropped: ReadonlySet<string>;
}

const ALL: Rows = { where: () => '1', keepsLinksWith: () => false };

/** Versions that a type does not have any more. A link of drafts stays where its other end has drafts. */
function rowsThatGo(
  uid: string,
  type: TypeLayout,
  next: TypeLayout,
  { after, defaultLocale }: Options,
): readonly Rows[] {
  const rows: Rows[] = [];
  const first = firstDocument(type.table, defaultLocale);
  if (type.kind === 'collectionType' && next.kind === 'singleType')
    rows.push({ ...ALL, where: (row) => `${row}."document_id" <> ${first}` });
  if (type.localized && !next.localized)
    rows.push({ ...ALL, where: (row) => `${row}."locale" <> ${literal(defaultLocale)}` });
  if (type.draftAndPublish && !next.draftAndPublish)
    rows.push({
      where: (row) => `${row}."published_at" IS NULL`,
      keepsLinksWith: (other) => other !== uid && after.types[other]?.draftAndPublish === true,
    });
  return rows;
}

function movedRows(options: Options) {
  const { before, after, lost, dropped } = options;
  return Object.entries(before.types).flatMap(([uid, type]) => {
    const subject = nameOfType(uid);
    if (!lost.has(subject) || dropped.has(subject)) return [];
    const next = typeWithTable(after, type.table);
    return [{ uid, type, moved: next ? rowsThatGo(uid, type, next, options) : [ALL] }];
  });
}

interface Entry {
  readonly kind: KeptKind;
  readonly table: string;
  readonly attribute: string;
  readonly form: Form;
  readonly subject: string;
}

const entriesOf = (before: Layout, attributes: readonly Attribute[]): readonly Entry[] =>
  attributes.flatMap(({ uid, name, subject }) => {
    const type = before.types[uid];
    const place = type?.attributes[name];
    if (!type || !place) return [];
    const kind = place.kind === 'links' ? 'links' : 'value';
    return [{ kind, table: type.table, attribute: name, form: formOf(place, before), subject }];
  });

/** Links of others to rows that move have their own forms. */
const linksTo = (before: Layout, uids: readonly string[]): readonly Form[] =>
  Object.values(before.types).flatMap(({ attributes }) =>
    Object.values(attributes).flatMap((place) =>
      place.kind === 'links' && uids.includes(place.target) ? [formOf(place, before)] : [],
    ),
  );

export function setAside(changes: Changes, options: Options): Aside {
  const { before, lost, dropped } = options;
  const gone = changes.gone.filter(({ subject }) => lost.has(subject) && !dropped.has(subject));
  const changed = [...changes.changed, ...changes.same.filter(({ subject }) => lost.has(subject))].filter(
    ({ subject }) => !dropped.has(subject),
  );
  const rows = movedRows(options);
  const types = rows.map(({ uid }) => uid);
  const ofRows = rows.flatMap(({ uid, type }) =>
    Object.keys(type.attributes).map((name) => ({ uid, name, subject: `${nameOfType(uid)}.${name}` })),
  );
  const entries = entriesOf(before, [...gone, ...changed, ...ofRows]);
  const forms = [...entries.map(({ form }) => form), ...linksTo(before, types)];
  return {
    statements: [
      ...[...gone, ...changed].flatMap(({ uid, name }) => copyAttribute(before, uid, name)),
      ...changed.flatMap(({ uid, name }) => clearNulls(before, uid, name)),
      ...rows.flatMap(({ uid, moved }) => moved.flatMap((each) => moveRows(before, uid, each))),
    ],
    groups: [
      ...entries.map((entry) => ({ ...entry, formName: formName(entry.form), rows: 1 })),
      ...rows.map(({ uid, type }) => ({
        ...({ kind: 'row', table: type.table, attribute: '', formName: '' } as const),
        ...{ subject: nameOfType(uid), rows: 1 },
      })),
    ],
    forms: Object.fromEntries(forms.map((form) => [formName(form), form])),
    tables: rows.map(({ type }) => type.table),
  };
}
