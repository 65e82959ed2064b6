/**
 * @module Rows of an archive on their way into tables, many of one type at once.
 */
import { urlOf } from '../../upload/call.ts';
import { UserError } from '../terminal.ts';
import { type Components, componentReader } from './components.ts';
import { tellsLinks } from './gaps.ts';
import { advanceStatement, RENEWED } from './marker.ts';
import { type Kept, keptOf } from './mend.ts';
import { newerRows } from './merge.ts';
import type { Entity } from './records.ts';
import { type RowContext, type RowForm, rowForm } from './rows.ts';
import { ROW } from './staging.ts';
import { LIST_CHARACTERS, type RowStatements, rowStatements } from './statements.ts';
import { type Counts, follows, type Taking } from './taking.ts';
import type { Writer } from './writer.ts';

/** A row as it will be stored. */
interface Candidate {
  /** In the archive. */
  readonly id: number;
  readonly json: string;
  /** Columns that stay as they are where the row is there already. */
  readonly untold: readonly string[];
  /** What of the stored row stays. */
  readonly kept?: Kept | undefined;
}

/** Rows of one type that go into the database together. */
interface Batch {
  readonly uid: string;
  readonly form: RowForm;
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

/** Statements that insert rows: those that leave out the same columns in one. */
function inserter({ survey }: Taking) {
  const fromServer = survey.metadata.source !== undefined;
  const known = new Map<string, RowStatements>();
  const statementsFor = ({ type, columns }: RowForm, kept: readonly string[]): RowStatements => {
    const key = JSON.stringify([type.uid, kept]);
    const statements = known.get(key) ?? rowStatements(type, columns, { kept, orEqual: fromServer });
    known.set(key, statements);
    return statements;
  };
  return (form: RowForm, rows: readonly Candidate[]) => {
    const groups = new Map<RowStatements, string[]>();
    for (const { json, untold } of rows) {
      const statements = statementsFor(form, untold);
      const texts = groups.get(statements) ?? [];
      groups.set(statements, texts);
      texts.push(json);
    }
    return [...groups].flatMap(([statements, texts]) => statements.insert(texts));
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
  const { survey, types, registry, remarks, marker, storage, orEqual } = taking;
  const { staging } = survey;
  const context = rowContext(taking);
  const insert = inserter(taking);
  const mending = { registry, remarks, tells: tellsLinks(survey.schemas) };
  const fromServer = survey.metadata.source !== undefined;
  const mends = storage !== undefined && follows(taking);
  const mostRows = marker.mode === 'merge' ? MOST_MERGED : MOST_ROWS;
  const forms = new Map<string, RowForm>();
  const find = staging.prepare('select document_id, locale, published, state from rows where type = ? and id = ?');
  let batch: Batch | undefined;
  let done = 0;

  const batchOf = (uid: string): Batch | undefined => {
    const type = types.get(uid);
    if (!type) return undefined;
    const form = forms.get(uid) ?? rowForm(type, context);
    forms.set(uid, form);
    return { uid, form, rows: [], characters: 0 };
  };

  const flush = async (): Promise<void> => {
    if (!batch || batch.rows.length === 0) return;
    const { rows, form, uid } = batch;
    batch = undefined;
    const merging = storage && marker.mode === 'merge';
    const taken = merging ? await newerRows(storage.db, staging, uid, form, rows, { orEqual, mending }) : rows;
    counts.rows += taken.length;
    counts.kept += rows.length - taken.length;
    await writer.write([...insert(form, taken), advanceStatement(marker.archive, 'rows', done), RENEWED]);
  };

  const add = ({ form, rows }: Batch, entity: Entity, row: Readonly<Record<string, unknown>>): number => {
    const version = {
      documentId: String(row.document_id),
      locale: String(row.locale),
      published: row.published === 1,
    };
    const json = jsonOf(() => form.valuesOf(entity, version), entity);
    const kept = mends ? keptOf(form.type, entity, mending) : undefined;
    rows.push({ id: entity.id, json, untold: fromServer ? form.untoldIn(entity) : [], kept });
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
