/**
 * @module Rows of an archive on their way into tables, many of one type at once.
 */
import type { ContentType } from '../../registry/model.ts';
import { urlOf } from '../../upload/call.ts';
import { LIST_CHARACTERS, type RowInserter } from '../core/sql/row-lists.ts';
import type { Writer } from '../core/sql/writer.ts';
import { UserError } from '../core/terminal.ts';
import { type Components, componentReader } from './components.ts';
import { advanceStatement, RENEWED } from './marker.ts';
import { newerRows } from './merge.ts';
import type { Entity } from './records.ts';
import { type RowContext, type RowForm, rowForm } from './rows.ts';
import { ROW } from './staging.ts';
import { typeInserter } from './statements.ts';
import type { Counts, Taking } from './taking.ts';

/** A row as it will be stored. */
interface Candidate {
  /** In the archive. */
  readonly id: number;
  readonly json: string;
}

/** Rows of one type that go into the database together. */
interface Batch {
  readonly uid: string;
  readonly form: RowForm;
  readonly insert: RowInserter;
  readonly rows: Candidate[];
  characters: number;
}

/** Of a batch, which takes several lists: each costs a round trip and a commit. */
const MOST_CHARACTERS = 2 * LIST_CHARACTERS;
const MOST_ROWS = 1_000;
/** What is stored of them is read at once. */
const MOST_MERGED = 500;

export interface RowTaker {
  take(entity: Entity, line: number): Promise<void>;
  flush(): Promise<void>;
  readonly components: Components;
}

function rowContext({ survey, registry, settings, remarks, marker }: Taking): RowContext {
  return {
    components: componentReader(survey.staging, registry, remarks),
    remarks,
    now: marker.startedAt,
    urlOf: (key) => urlOf(key, settings.upload),
    hasObject: (key) => survey.uploads.has(key),
  };
}

/** @throws UserError for what is nested too deep to be written. */
function jsonOf(values: () => readonly unknown[], { type, id }: Entity): string {
  try {
    return JSON.stringify(values());
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${type}, row ${id}: a value is nested too deep`);
    throw error;
  }
}

export function rowTaker(taking: Taking, writer: Writer, counts: Counts): RowTaker {
  const { survey, types, marker, storage, orEqual } = taking;
  const { staging } = survey;
  const context = rowContext(taking);
  const mostRows = marker.mode === 'merge' ? MOST_MERGED : MOST_ROWS;
  const forms = new Map<string, Pick<Batch, 'form' | 'insert'>>();
  const find = staging.prepare('select document_id, locale, published, state from rows where type = ? and id = ?');
  let batch: Batch | undefined;
  let done = 0;

  const formOf = (type: ContentType) => {
    const form = rowForm(type, context);
    return { form, insert: typeInserter(type, form.columns) };
  };

  const batchOf = (uid: string): Batch | undefined => {
    const type = types.get(uid);
    if (!type) return undefined;
    const known = forms.get(uid) ?? formOf(type);
    forms.set(uid, known);
    return { uid, ...known, rows: [], characters: 0 };
  };

  const flush = async (): Promise<void> => {
    if (!batch || batch.rows.length === 0) return;
    const { rows, form, insert, uid } = batch;
    batch = undefined;
    const merging = storage && marker.mode === 'merge';
    const taken = merging ? await newerRows(storage.db, staging, uid, form, rows, orEqual) : rows;
    counts.rows += taken.length;
    counts.kept += rows.length - taken.length;
    await writer.write([
      ...insert(taken.map(({ json }) => json)),
      advanceStatement(marker.archive, 'rows', done),
      RENEWED,
    ]);
  };

  const add = ({ form, rows }: Batch, entity: Entity, row: Readonly<Record<string, unknown>>): number => {
    const version = {
      documentId: String(row.document_id),
      locale: String(row.locale),
      published: row.published === 1,
    };
    const json = jsonOf(() => form.valuesOf(entity, version), entity);
    rows.push({ id: entity.id, json });
    return json.length;
  };

  return {
    flush,
    components: context.components,
    async take(entity, line) {
      if (batch?.uid !== entity.type) {
        await flush();
        batch = batchOf(entity.type);
      }
      if (!batch) return;
      const row = find.get(staging.numberOf(entity.type), entity.id);
      if (!row || row.state === ROW.double) return;
      batch.characters += add(batch, entity, row);
      done = line;
      if (batch.characters < MOST_CHARACTERS && batch.rows.length < mostRows) return;
      const { uid } = batch;
      await flush();
      batch = batchOf(uid);
    },
  };
}
