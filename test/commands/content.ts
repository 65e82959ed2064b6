/**
 * @module Random content, written through the API.
 */

import { type Model, type Owner, partUid, pathOf, type TypeModel, uidOf } from '../generators/models.ts';
import type { Dice } from '../support/dice.ts';
import type { Ask, Worker } from './project.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a body may name, and what it has used. */
export interface Written {
  /** documentIds in the default locale, by uid. */
  documents: ReadonlyMap<string, readonly string[]>;
  /** Numbers of rows. */
  files: readonly number[];
  /** A number for each value, so that none is there twice. */
  count: number;
  /** Do documents link to others? In another locale these may be missing. */
  isLinking: boolean;
}

/** The types that chains of commands change, and values of which none is there twice. */
export const SCALARS = ['string', 'text', 'integer', 'biginteger', 'boolean', 'json', 'datetime'] as const;

const VALUES: Readonly<Record<(typeof SCALARS)[number], (count: number) => unknown>> = {
  string: (count) => `text ${count}`,
  text: (count) => `long text ${count}`,
  integer: (count) => count,
  biginteger: (count) => `900719925474${1000 + count}`,
  boolean: (count) => count % 2 === 0,
  json: (count) => ({ list: [count, null] }),
  datetime: (count) => new Date(count * 1_000).toISOString(),
};

export const newWritten = (): Written => ({ documents: new Map(), files: [], count: 0, isLinking: true });

const documentsOf = (written: Written, uid: string): readonly string[] => written.documents.get(uid) ?? [];

/** Commands give rows and types other numbers and names. */
async function readTargets(written: Written, { storage }: Worker, model: Model): Promise<void> {
  const rowsOf = async (sql: string) => (await storage.db.prepare(sql).all()).results;
  written.files = (await rowsOf('select id from files order by document_id')).map(({ id }) => Number(id));
  const documents = model.types.map(async (type) => {
    const rows = await rowsOf(
      `select distinct document_id from "${type.name}s" where locale in ('', 'en') order by id`,
    );
    return [uidOf(type), rows.map((row) => String(row.document_id))] as const;
  });
  written.documents = new Map(await Promise.all(documents));
}

function makeValue(json: Json, model: Model, written: Written, dice: Dice, depth: number): unknown {
  written.count += 1;
  const scalar = VALUES[json.type as (typeof SCALARS)[number]];
  if (scalar) return scalar(written.count);
  if (json.type === 'component') {
    const part = model.parts.find((each) => partUid(each) === json.component) as Owner;
    const one = () => dataOf(part, model, written, dice, depth + 1);
    return json.repeatable ? [one(), one()] : one();
  }
  if (json.type === 'dynamiczone')
    return model.parts.map((part) => ({
      __component: partUid(part),
      ...dataOf(part, model, written, dice, depth + 1),
    }));
  if (json.type === 'media') return written.files.slice(0, 1 + dice.below(2));
  const uid = String(json.target);
  const targets = written.isLinking ? documentsOf(written, uid).filter(() => dice.once(2)) : [];
  if (json.relation === 'morphToMany') return targets.slice(0, 2).map((documentId) => ({ documentId, __type: uid }));
  return json.relation === 'manyToMany' ? targets.slice(0, 3) : (targets[0] ?? null);
}

export function dataOf(owner: Owner, model: Model, written: Written, dice: Dice, depth = 0): Json {
  return Object.fromEntries(
    [...owner.attributes].map(([name, json]) => [name, makeValue(json, model, written, dice, depth)]),
  );
}

/** @throws Error for a response that is no success */
export async function expectDone(ask: Ask, method: string, path: string, body?: unknown, token?: null): Promise<Json> {
  const { status, body: shown } = await ask(method, path, body, token);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(shown)}`);
  return shown as Json;
}

/** Creates a document, or updates the only one that a type may have. @returns its path */
async function pathOfNext(
  { ask }: Worker,
  type: TypeModel,
  status: string,
  written: Written,
  data: Json,
): Promise<string> {
  const [present] = type.isLone ? documentsOf(written, uidOf(type)) : [];
  if (type.single || present !== undefined) {
    const path = type.single ? pathOf(type) : `${pathOf(type)}/${present}`;
    await expectDone(ask, 'PUT', `${path}${status}`, data);
    return path;
  }
  const created = (await expectDone(ask, 'POST', `${pathOf(type)}${status}`, data)).data as Json;
  return `${pathOf(type)}/${created.documentId}`;
}

export async function writeDocument(
  worker: Worker,
  type: TypeModel,
  model: Model,
  written: Written,
  dice: Dice,
): Promise<void> {
  const { ask } = worker;
  await readTargets(written, worker, model);
  const data = () => ({ data: dataOf(type, model, written, dice) });
  const status = type.drafts ? '?status=draft' : '?status=published';
  const path = await pathOfNext(worker, type, status, written, data());
  if (type.localized && dice.once(2)) {
    written.isLinking = false;
    await expectDone(ask, 'PUT', `${path}${status}&locale=fr`, data());
    written.isLinking = true;
  }
  if (!type.drafts) return;
  if (dice.once(2)) await expectDone(ask, 'POST', `${path}/actions/publish`, {});
  // Later than any test.
  if (dice.once(3)) await expectDone(ask, 'POST', `${path}/actions/publish`, { data: { at: '2999-01-01T00:00:00Z' } });
  if (dice.once(3)) await expectDone(ask, 'PUT', `${path}${status}`, data());
}

/** Inserts rows and bytes of two files, one of them private. */
export async function insertFiles({ storage }: Worker): Promise<void> {
  const files = ['public_0123456789', 'secret_0123456789-private'];
  for (const [index, hash] of files.entries()) {
    await storage.db
      .prepare(
        `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, ext, mime, size, url, provider, folder_path)
         values (?, '', 1, 1, 1, ?, ?, '.txt', 'text/plain', 0.01, ?, 'local', '/')`,
      )
      .bind(`file${index}`.padEnd(24, '0'), `${hash}.txt`, hash, `/uploads/${hash}.txt`)
      .run();
    await storage.bucket.put(`${hash}.txt`, `bytes of ${hash}`);
  }
}
