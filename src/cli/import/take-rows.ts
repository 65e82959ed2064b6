/**
 * @module Rows of an archive on their way into tables, many of one type at once.
 */
import type { ContentType } from '../../registry/model.ts';
import { LIST_CHARACTERS } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Writer } from '../core/sql/writer.ts';
import { UserError } from '../core/terminal.ts';
import { componentReader } from './components.ts';
import { advanceStatement, RENEWED } from './marker.ts';
import type { Entity } from './records.ts';
import { type RowForm, rowForm, type Version } from './rows.ts';
import { ROW } from './staging.ts';
import type { Counts, Taking } from './taking.ts';

/** A row as it will be stored. */
interface Candidate {
  /** In the archive: the number of the type, and the id. */
  readonly type: number;
  readonly id: number;
  readonly version: Version;
  readonly updatedAt: number;
  /** Its values in the order of the form's columns. */
  readonly json: string;
}

/** Of a batch, which takes several lists: each costs a round trip and a commit. */
const MOST_CHARACTERS = 2 * LIST_CHARACTERS;
const MOST_ROWS = 1_000;
/** What is stored of them is read at once. */
const MOST_MERGED = 500;

const keyOf = ({ documentId, locale, published }: Version): string => JSON.stringify([documentId, locale, published]);

/**
 * In a merge, leaves out rows that the database has newer, or as new; the staging area notes them, so that their links are left out
 * as well.
 */
async function newerRows(
  { survey, storage, marker, orEqual }: Taking,
  { table }: ContentType,
  rows: readonly Candidate[],
) {
  if (!storage || marker.mode !== 'merge') return rows;
  const sql = `select "document_id" as "documentId", "locale", "published_at" is not null as "published", "updated_at" as "updatedAt" from ${identifier(table)} where "document_id" in (select value from json_each(?))`;
  const ids = new Set(rows.map(({ version }) => version.documentId));
  const { results } = await storage.db
    .prepare(sql)
    .bind(JSON.stringify([...ids]))
    .all<Version & { readonly updatedAt: number }>();
  const present = new Map(results.map((row) => [keyOf(row), row.updatedAt]));
  const mark = survey.staging.prepare(`update rows set state = ${ROW.older} where type = ? and id = ?`);
  return rows.filter(({ type, id, version, updatedAt }) => {
    const before = present.get(keyOf(version)) ?? Number.NEGATIVE_INFINITY;
    const isTaken = before < updatedAt || (orEqual && before === updatedAt);
    if (!isTaken) mark.run(type, id);
    return isTaken;
  });
}

/** @throws UserError for what is nested too deep to be written. */
function stored(form: RowForm, entity: Entity, version: Version): Pick<Candidate, 'json' | 'updatedAt'> {
  try {
    const values = form.valuesOf(entity, version);
    return { json: JSON.stringify(values), updatedAt: Number(values[form.columns.indexOf('updated_at')]) };
  } catch (error) {
    if (error instanceof RangeError)
      throw new UserError(`${entity.type}, row ${entity.id}: a value is nested too deep`);
    throw error;
  }
}

export function rowTaker(taking: Taking, writer: Writer, counts: Counts) {
  const { survey, types, marker } = taking;
  const { staging } = survey;
  const components = componentReader(taking);
  const mostRows = marker.mode === 'merge' ? MOST_MERGED : MOST_ROWS;
  const forms = new Map([...types].map(([uid, type]) => [uid, rowForm(type, { ...taking, components })]));
  const find = staging.prepare(
    'select document_id as documentId, locale, published, state from rows where type = ? and id = ?',
  );
  let current: string | undefined;
  let rows: Candidate[] = [];
  let characters = 0;
  let done = 0;

  const flush = async (): Promise<void> => {
    const form = forms.get(current ?? '');
    if (!form || rows.length === 0) return;
    const taken = await newerRows(taking, form.type, rows);
    counts.rows += taken.length;
    counts.kept += rows.length - taken.length;
    [rows, characters] = [[], 0];
    const inserts = form.insert(taken.map(({ json }) => json));
    await writer.write([...inserts, advanceStatement(marker.archive, 'rows', done), RENEWED]);
  };

  return {
    flush,
    components,
    async take(entity: Entity, line: number): Promise<void> {
      if (current !== entity.type) await flush();
      current = entity.type;
      const form = forms.get(current);
      const type = staging.numberOf(current);
      const row = form && find.get(type, entity.id);
      if (!row || row.state === ROW.double) return;
      const version = row as unknown as Version;
      const candidate = { type, id: entity.id, version, ...stored(form, entity, version) };
      rows.push(candidate);
      characters += candidate.json.length;
      done = line;
      if (characters >= MOST_CHARACTERS || rows.length >= mostRows) await flush();
    },
  };
}
