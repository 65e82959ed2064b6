/**
 * @module Writes the rows of an archive, many of one type at once, each batch with the progress of the import.
 */
import { ROLE_UID } from '../../src/schema/system-types.ts';
import { progressLine } from '../core/progress-line.ts';
import { LIST_CHARACTERS } from '../core/sql/row-lists.ts';
import { UserError } from '../core/terminal.ts';
import type { Entity } from './archive-lines.ts';
import { componentReader } from './components.ts';
import type { ImportRun, Write } from './marker.ts';
import { type RowForm, rowForm, type Version } from './rows.ts';

/** Of a batch, which takes several lists: each costs a round trip and a commit. */
const MAX_CHARACTERS = 2 * LIST_CHARACTERS;
const MAX_ROWS = 1_000;

interface StagedRow extends Version {
  readonly seq: number;
  readonly type: string;
  /** The JSON of its entity, and the bytes of that. */
  readonly line: string;
  readonly size: number;
}

const ROWS = `
  select seq, type, document_id as documentId, locale, published, line, octet_length(line) as size
  from rows join lines using (seq)
  where here is not null and not is_double
  order by seq`;
const DOCUMENTS = `
  select count(distinct here || document_id) as count from rows
  where here is not null and type <> '${ROLE_UID}' and not is_double`;
const SIZE = 'select sum(octet_length(line)) as size from lines';

/** Returns a row as the JSON of its values. @throws UserError for what is nested too deep to be written. */
function jsonOf(row: StagedRow, form: RowForm): string {
  const { id, data } = JSON.parse(row.line) as Entity;
  try {
    return JSON.stringify(form.valuesOf(data, row));
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${row.type}, row ${id}: a value is nested too deep`);
    throw error;
  }
}

/**
 * Writes the rows of all types.
 * @param done the last row that is written already
 * @returns counts of all rows, with the links in their components.
 */
export async function writeRows(importRun: ImportRun, done: number, write: Write) {
  const { survey, types, storage } = importRun;
  const { prepare } = survey.staging;
  const verb = storage ? 'import' : 'check';
  const line = progressLine({
    name: `${verb}ing versions`,
    thing: 'version',
    bytes: Number(prepare(SIZE).get()?.size),
  });
  const components = componentReader(importRun);
  const forms = new Map([...types].map(([uid, type]) => [uid, rowForm(type, { ...importRun, components })]));
  let versions = 0;
  let batch: string[] = [];
  let characters = 0;
  let last: StagedRow | undefined;

  const flush = async (): Promise<void> => {
    const form = forms.get(last?.type ?? '');
    if (!last || !form || batch.length === 0) return;
    const rows = batch;
    line.count(rows.length);
    [batch, characters] = [[], 0];
    await write(form.insert(rows), 'rows', last.seq);
  };

  for (const row of prepare(ROWS).iterate() as unknown as Iterable<StagedRow>) {
    line.advance(row.size);
    const form = forms.get(row.type);
    if (!form) continue;
    const json = jsonOf(row, form);
    versions += 1;
    if (row.seq <= done) continue;
    const isFull = characters >= MAX_CHARACTERS || batch.length >= MAX_ROWS;
    if (isFull || last?.type !== row.type) await flush();
    batch.push(json);
    characters += json.length;
    last = row;
  }
  await flush();
  line.done(`${verb}ed the versions`);
  return { documents: Number(prepare(DOCUMENTS).get()?.count), versions, links: components.finish() };
}
