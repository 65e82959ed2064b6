/**
 * @module What follows when rows or values have moved: they share what all locales share, and totals count them.
 */
import type { Layout, TypeLayout } from '../migrations/layout.ts';
import type { SchemaState } from '../migrations/migration.ts';
import { startWork } from '../migrations/migration-work.ts';
import { shareAttributes } from '../migrations/shared-attributes.ts';
import { identifier } from '../migrations/sql-text.ts';
import { recount } from '../migrations/type-changes.ts';
import { formName, formOf } from './forms.ts';
import { CREATE_KEPT, type Forms } from './kept-table.ts';
import { typeWithTable } from './push-changes.ts';
import { copyAttribute } from './set-aside.ts';

interface Settling {
  readonly before: Layout;
  readonly defaultLocale: string;
  /** uids of types that took something back. */
  readonly back: readonly string[];
  /** Those of types whose rows have gone. */
  readonly moved: readonly string[];
}

export interface Settled {
  readonly statements: readonly string[];
  /** Of what the statements set aside, since it is shared now. */
  readonly forms: Forms;
}

/** Without drafts all locales share what is not localized; with drafts the published versions may have differed. */
function isShared(uid: string, type: TypeLayout, { before, back }: Settling): boolean {
  const hadDrafts = typeWithTable(before, type.table)?.draftAndPublish === true;
  return type.localized && !type.draftAndPublish && (hadDrafts || back.includes(uid));
}

function share(state: SchemaState, settling: Settling): Settled {
  const { snapshot, layout } = state;
  const types = Object.entries(layout.types).filter(([uid, type]) => isShared(uid, type, settling));
  // As if all attributes had been localized before.
  const localized = types.map(([uid, type]) => {
    const places = Object.entries(type.attributes).map(([name, place]) => [
      name,
      { ...place, localized: true as const },
    ]);
    return [uid, { ...type, attributes: Object.fromEntries(places) }] as const;
  });
  const work = startWork(snapshot, { ...layout, types: { ...layout.types, ...Object.fromEntries(localized) } });
  shareAttributes(work, layout, settling.defaultLocale);
  const shared = types.flatMap(([uid, { table, attributes }]) =>
    Object.entries(attributes)
      .filter(([, place]) => !place.localized)
      .map(([name, place]) => ({ uid, table, name, form: formOf(place, layout) })),
  );
  const copies = shared.flatMap(({ uid, table, name }) => {
    const others = (row: string) =>
      `EXISTS (SELECT 1 FROM ${identifier(table)} AS "other" WHERE "other"."document_id" = ${row}."document_id" AND "other"."locale" <> ${row}."locale")`;
    return copyAttribute(layout, uid, name, others);
  });
  return {
    statements: [...(copies.length > 0 ? [CREATE_KEPT] : []), ...copies, ...work.statements],
    forms: Object.fromEntries(shared.map(({ form }) => [formName(form), form])),
  };
}

export function settleRows(state: SchemaState, settling: Settling): Settled {
  const { statements, forms } = share(state, settling);
  const work = startWork(state.snapshot, state.layout);
  for (const uid of [...settling.back, ...settling.moved]) if (state.layout.types[uid]) work.recounts.add(uid);
  recount(work, state.layout);
  return { statements: [...statements, ...work.statements], forms };
}
