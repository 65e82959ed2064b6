/**
 * @module Rows of an archive go into tables, many of one type at once, each batch with the note of how far the import has
 * come.
 */
import type { ContentType } from '../../src/registry/model.ts';
import type { Statement } from '../../src/sql/statement.ts';
import { counted } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { LIST_CHARACTERS } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { UserError } from '../core/terminal.ts';
import { componentReader } from './components.ts';
import type { Write } from './marker.ts';
import type { Entity } from './records.ts';
import { type RowForm, rowForm, type Version } from './rows.ts';
import { ROW } from './staging.ts';
import { type Taking, verbOf } from './taking.ts';

/** Values of the head: documentId, locale, and the times of publication, creation and update. */
const HEAD = 5;

/** Of a batch, which takes several lists: each costs a round trip and a commit. */
const MOST_CHARACTERS = 2 * LIST_CHARACTERS;
const MOST_ROWS = 1_000;

interface StagedRow extends Version {
  readonly seq: number;
  readonly type: string;
  /** The JSON of its entity, and the bytes of that. */
  readonly line: string;
  readonly size: number;
}

/** A row as it will be stored: its values in the order of the form's columns, of which the system's are the head. */
interface Candidate {
  readonly row: StagedRow;
  readonly json: string;
  readonly head: string;
}

const ROWS = `
  select seq, type, document_id as documentId, locale, published, line, octet_length(line) as size
  from rows join lines using (seq)
  where seq > ? and here is not null and state <> ${ROW.double}
  order by seq`;
const SIZE = 'select sum(octet_length(line)) as size from lines where seq > ?';

const headsOf = (rows: readonly Candidate[]): string => `[${rows.map(({ head }) => head).join(',')}]`;

/**
 * In a merge, leaves out rows that the database has newer, or as new; the staging area notes them, so that their links are
 * left out as well.
 */
async function newerRows(
  { survey, storage, marker, orEqual }: Taking,
  { table }: ContentType,
  rows: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (!storage || marker.mode !== 'merge') return rows;
  const current = `select 1 from ${identifier(table)} where "document_id" = given.value ->> 0 and "locale" = given.value ->> 1`;
  const isNewer = `"updated_at" ${orEqual ? '>' : '>='} given.value ->> 4`;
  // One query of each kind of version: its unique index is partial.
  const sql = `
    select key as "index" from json_each(?) as given where case when given.value ->> 2 is null
      then exists (${current} and "published_at" is null and ${isNewer})
      else exists (${current} and "published_at" is not null and ${isNewer})
    end`;
  const { results } = await storage.db.prepare(sql).bind(headsOf(rows)).all<{ readonly index: number }>();
  const older = new Set(results.map(({ index }) => index));
  const mark = survey.staging.prepare(`update rows set state = ${ROW.older} where seq = ?`);
  for (const index of older) mark.run(rows[index]?.row.seq ?? null);
  return rows.filter((_, index) => !older.has(index));
}

/** Deletes the links that rows own in the database; a source without drafts has them in both versions. */
function unlinkStatements(type: ContentType, rows: readonly Candidate[]): readonly Statement[] {
  const [columns, values] = type.draftAndPublish
    ? [', "status"', ", iif(value ->> 2 is null, 'draft', 'published')"]
    : ['', ''];
  return [...linkTablesOf(type).values()].map((table) => ({
    sql: `delete from ${identifier(table)} where ("source_document_id", "source_locale"${columns}) in (select value ->> 0, value ->> 1${values} from json_each(?))`,
    params: [headsOf(rows)],
  }));
}

/** @throws UserError for what is nested too deep to be written. */
function candidateOf(row: StagedRow, form: RowForm): Candidate {
  const { id, data } = JSON.parse(row.line) as Entity;
  try {
    const values = form.valuesOf(data, row);
    return { row, json: JSON.stringify(values), head: JSON.stringify(values.slice(0, HEAD)) };
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${row.type}, row ${id}: a value is nested too deep`);
    throw error;
  }
}

/** @param done rows up to this one are there already. */
export async function takeRows(taking: Taking, done: number, write: Write) {
  const { survey, types, marker, storage } = taking;
  const { prepare } = survey.staging;
  const verb = verbOf(storage);
  const line = progressLine({ name: `${verb}ing rows`, thing: 'row', bytes: Number(prepare(SIZE).get(done)?.size) });
  const components = componentReader(taking);
  const forms = new Map([...types].map(([uid, type]) => [uid, rowForm(type, { ...taking, components })]));
  const counts = { rows: 0, kept: 0 };
  let batch: Candidate[] = [];
  let characters = 0;

  const flush = async (): Promise<void> => {
    const last = batch.at(-1)?.row;
    const form = forms.get(last?.type ?? '');
    if (!last || !form) return;
    const taken = await newerRows(taking, form.type, batch);
    counts.rows += taken.length;
    counts.kept += batch.length - taken.length;
    line.count(batch.length);
    [batch, characters] = [[], 0];
    const unlinked = marker.mode === 'merge' ? unlinkStatements(form.type, taken) : [];
    await write([...unlinked, ...form.insert(taken.map(({ json }) => json))], 'rows', last.seq);
  };

  for (const row of prepare(ROWS).iterate(done) as unknown as Iterable<StagedRow>) {
    line.advance(row.size);
    const form = forms.get(row.type);
    if (!form) continue;
    const isFull = characters >= MOST_CHARACTERS || batch.length >= MOST_ROWS;
    if (isFull || batch[0]?.row.type !== row.type) await flush();
    const candidate = candidateOf(row, form);
    batch.push(candidate);
    characters += candidate.json.length;
  }
  await flush();
  if (done === 0) components.noteUnowned();
  line.done(`${verb}ed ${counted(counts.rows, 'row')}`);
  return counts;
}
