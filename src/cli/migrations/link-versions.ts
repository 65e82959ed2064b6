/**
 * @module Link tables of the first layout (a row of the source, a document as target) → those whose links have a version
 * and name both ends by document and locale. What readers saw stays: links to what is not there in a version have no row.
 */
import { LINK_STEP } from '../../registry/names.ts';
import type { Layout, TypeLayout } from './layout.ts';
import { dropIndexes, statusOf, type Work } from './migration-work.ts';
import { diffSnapshots, linkTableSnapshot, type Snapshot } from './snapshot.ts';
import { identifier } from './sql-text.ts';

interface OldLinks {
  readonly name: string;
  readonly source: TypeLayout;
  readonly target: TypeLayout;
}

const oldLinks = ({ tables }: Work, { types }: Layout): readonly OldLinks[] =>
  Object.values(types).flatMap((source) =>
    Object.values(source.attributes).flatMap((place) => {
      const target = place.kind === 'links' ? types[place.target] : undefined;
      if (place.kind !== 'links' || !target || !tables[place.table]?.columns.source_id) return [];
      return [{ name: place.table, source, target }];
    }),
  );

/** The locale of the target that a link meant: the one it named, or else that of its source. */
function meantLocale({ source, target }: OldLinks): string {
  if (!target.localized) return `''`;
  return source.localized
    ? `coalesce(nullif("link"."target_locale", ''), "source"."locale")`
    : `"link"."target_locale"`;
}

function copy(links: OldLinks, from: string): string {
  const { name, source, target } = links;
  const drafts = source.draftAndPublish ? '"source"' : target.draftAndPublish && '"target"';
  const status = drafts ? statusOf(drafts) : `'published'`;
  const same =
    source.draftAndPublish && target.draftAndPublish
      ? ` AND ("target"."published_at" IS NULL) = ("source"."published_at" IS NULL)`
      : '';
  const version = target.draftAndPublish ? same : ` AND "target"."published_at" IS NOT NULL`;
  const columns = `"source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position"`;
  return `INSERT OR IGNORE INTO ${identifier(name)} (${columns}) SELECT "source"."document_id", "source"."locale", "target"."document_id", "target"."locale", ${status}, "link"."position" * ${LINK_STEP}, "link"."inverse_position" * ${LINK_STEP} FROM ${from} AS "link" JOIN ${identifier(source.table)} AS "source" ON "source"."id" = "link"."source_id" JOIN ${identifier(target.table)} AS "target" ON "target"."document_id" = "link"."target_document_id" AND "target"."locale" = ${meantLocale(links)}${version} ORDER BY "link"."rowid"`;
}

/** Makes link tables of the first layout anew, with what they hold. @returns were there any? */
export async function moveLinks(work: Work, empty: Snapshot): Promise<boolean> {
  const all = oldLinks(work, work.layout);
  for (const links of all) {
    const old = identifier(`${links.name}_before`);
    dropIndexes(work, links.name, () => true);
    work.statements.push(`ALTER TABLE ${identifier(links.name)} RENAME TO ${old}`);
    const made = await linkTableSnapshot(links.name);
    work.statements.push(...(await diffSnapshots(empty, made)));
    work.statements.push(copy(links, old), `DROP TABLE ${old}`);
    Object.assign(work.tables, made.tables);
  }
  return all.length > 0;
}
