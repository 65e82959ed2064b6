/**
 * @module Versions that the source of an import has no more: found before anything is written, and deleted in the end.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { FILE_UID, USER_UID } from '../../registry/system-types.ts';
import type { Statement } from '../../sql/statement.ts';
import { counted } from '../counted.ts';
import { identifier } from '../migrations/sql-text.ts';
import { UserError } from '../terminal.ts';
import { importedTypes, linkTablesOf } from './content-tables.ts';
import { hasTable } from './marker.ts';
import type { TypesByUid } from './resolve-rows.ts';
import type { Staging } from './staging.ts';
import { unlinkStatement, unlinkTargetStatement } from './statements.ts';

const PAGE = 1_000;
/** Of few documents all may be gone. */
const FEW = 20;

interface Version {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: number;
}

/** The versions of one type that are here and not there. Users are left out: they may have registered here. */
export type Gone = ReadonlyMap<ContentType, readonly Version[]>;

async function* versionsOf(db: D1Database, { table }: ContentType): AsyncGenerator<readonly Version[]> {
  const page = db.prepare(
    `select "id", "document_id" as "documentId", "locale", "published_at" is not null as "published" from ${identifier(table)} where "id" > ? order by "id" limit ${PAGE}`,
  );
  for (let last = 0; ; ) {
    const { results } = await page.bind(last).all<Version>();
    if (results.length === 0) return;
    yield results;
    last = results.at(-1)?.id ?? last;
  }
}

export const countGone = (gone: Gone): number => [...gone.values()].reduce((sum, versions) => sum + versions.length, 0);

const KNOWN = 'select 1 from rows where type = ? and document_id = ? and locale = ? and published = ?';

/** @throws UserError where most of a database would go: then it is not the same content. */
function assertSome(count: number, total: number, force: boolean): void {
  if (force || count <= FEW || count * 2 <= total) return;
  throw new UserError(
    `--deletions would delete ${count} of ${counted(total, 'version')} that are here, which looks like other content. Nothing was written. --force deletes them`,
  );
}

/**
 * Looks for what is gone; nothing is deleted yet.
 * @throws UserError where that is more than half of everything, unless it is forced.
 */
export async function findGone(db: D1Database, staging: Staging, types: TypesByUid, force: boolean): Promise<Gone> {
  const gone = new Map<ContentType, readonly Version[]>();
  let total = 0;
  for (const [uid, type] of types) {
    if (type.uid === USER_UID || !(await hasTable(db, type.table))) continue;
    const number = staging.numberOf(uid);
    const missing: Version[] = [];
    for await (const versions of versionsOf(db, type)) {
      total += versions.length;
      const known = ({ documentId, locale, published }: Version) =>
        staging.prepare(KNOWN).get(number, documentId, locale, published) !== undefined;
      missing.push(...versions.filter((version) => !known(version)));
    }
    gone.set(type, missing);
  }
  assertSome(countGone(gone), total, force);
  return gone;
}

/** Tables whose links lead to documents of a type. */
function tablesTo(type: ContentType, registry: Registry): readonly string[] {
  return importedTypes(registry).flatMap((source) =>
    [...linkTablesOf(source)].flatMap(([name, table]) => {
      const attribute = source.attributes.get(name);
      const target = attribute?.kind === 'relation' ? attribute.target : FILE_UID;
      return target === type.uid ? [table] : [];
    }),
  );
}

/** Deletes versions with their links from both ends. Bytes of files stay, as with `--replace`. */
export function* deleteStatements(gone: Gone, registry: Registry): Generator<readonly Statement[]> {
  for (const [type, versions] of gone)
    for (let start = 0; start < versions.length; start += PAGE) {
      const some = versions.slice(start, start + PAGE);
      const ends = some.flatMap(({ documentId, locale, published }) =>
        (type.draftAndPublish ? [published === 1 ? 'published' : 'draft'] : ['draft', 'published']).map(
          (status) => [documentId, locale, status] as const,
        ),
      );
      yield [
        ...[...linkTablesOf(type).values()].map((table) => unlinkStatement(table, ends)),
        ...tablesTo(type, registry).map((table) => unlinkTargetStatement(table, ends)),
        {
          sql: `delete from ${identifier(type.table)} where "id" in (select value from json_each(?))`,
          params: [JSON.stringify(some.map(({ id }) => id))],
        },
      ];
    }
}
