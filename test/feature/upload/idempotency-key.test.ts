/**
 * @module `Idempotency-Key` of an upload: it is carried out once, and a repeat leaves nothing in the bucket.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PART_BYTES } from '../../../src/features/files/storage.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, createTables, createToken, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  expectTidy,
  type FileAnswer,
  formOf,
  listedFiles,
  objectKeys,
  picture,
  postForm,
  type Sent,
  TEXT,
  uploadOne,
} from '../../support/uploads.ts';

const send = serve();
/** Is stored in parts while it is received. */
const LARGE: Sent = { bytes: new Uint8Array(PART_BYTES + 1).fill(97), name: 'large.txt', type: 'text/plain' };

const post = (key: string, form: BodyInit, { from = send, query = '', token = 'full', type = '' } = {}) =>
  from(`/api/upload${query}`, {
    method: 'POST',
    headers: { ...bearer(token).headers, 'idempotency-key': key, ...(type && { 'content-type': type }) },
    body: form,
  });

const seen = async (response: Response) => ({
  status: response.status,
  replayed: response.headers.get('idempotency-replayed') === 'true',
  text: await response.text(),
});

const forgetResponses = () => env.DB.prepare('update edgewise_requests set response = null').run();

beforeAll(async () => {
  await createTables();
  for (const token of ['full', 'other']) await createToken(token, 'full-access');
});
beforeEach(clearMedia);

describe('a repeated upload', () => {
  it.each<readonly [what: string, files: () => Promise<readonly Sent[]>]>([
    ['small files', async () => [TEXT, { ...TEXT, name: 'other.txt' }]],
    ['a picture with formats', async () => [await picture()]],
    ['a file in parts', async () => [LARGE]],
  ])('has the first response, and stores nothing: %s', async (what, files) => {
    const key = what.replaceAll(' ', '-');
    const sent = await files();
    const form = () => formOf(sent, { ignored: 'x' });
    const first = await seen(await post(key, form()));
    expect(first).toMatchObject({ status: 201, replayed: false });
    const keys = await objectKeys();
    expect(await seen(await post(key, form()))).toEqual({ ...first, replayed: true });
    expect(await objectKeys()).toEqual(keys);
    await expectTidy(sent.length);
  });

  it('with other fields, names or bytes is a 422, and stores nothing', async () => {
    await post('other', formOf([TEXT], { fileInfo: '{"caption":"C"}' }));
    const keys = await objectKeys();
    const others = [
      formOf([TEXT], { fileInfo: '{"caption":"D"}' }),
      formOf([{ ...TEXT, name: 'renamed.txt' }], { fileInfo: '{"caption":"C"}' }),
      formOf([{ ...TEXT, bytes: 'b text' }], { fileInfo: '{"caption":"C"}' }),
      formOf([TEXT, LARGE], { fileInfo: '{"caption":"C"}' }),
    ];
    for (const form of others) expect((await post('other', form)).status).toBe(422);
    expect(await objectKeys()).toEqual(keys);
    await expectTidy(1);
    expect((await post('other', formOf([TEXT]), { token: 'other' })).status).toBe(201);
  });

  it('with another query or JSON is a 422, and changes nothing', async () => {
    const [{ id }, other] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
    const json = (caption: string, query = `?id=${id}`) =>
      post('json', JSON.stringify({ fileInfo: { caption } }), { query, type: 'application/json' });
    expect((await json('C')).status).toBe(200);
    expect((await json('D')).status).toBe(422);
    expect((await json('C', `?id=${other.id}`)).status).toBe(422);
    const captions = (await listedFiles(send, '?sort=id')).map(({ caption }) => caption);
    expect(captions).toEqual(['C', null]);
  });

  it('shows the files as they are, if the response was not stored', async () => {
    const [first] = await (await post('lost', formOf([TEXT]))).json<FileAnswer[]>();
    await forgetResponses();
    const body = JSON.stringify({ fileInfo: { caption: 'Changed' } });
    await postForm(send, body, `?id=${first?.id}`, 'full', 'application/json');
    const again = await post('lost', formOf([TEXT]));
    expect([again.status, await again.json()]).toMatchObject([201, [{ id: first?.id, caption: 'Changed' }]]);
    await send(`/api/upload/files/${first?.id}`, { method: 'DELETE', ...bearer('full') });
    expect((await post('lost', formOf([TEXT]))).status).toBe(404);
    await expectTidy(0);
  });

  it.each(['new-url', 'same-url'] as const)('of a changed file leaves it as it is: %s', async (replace) => {
    const from = serve({ upload: { replace } });
    const { documentId } = await uploadOne(from, TEXT);
    const query = `?id=${documentId}`;
    const first = await seen(await post(replace, formOf([{ ...TEXT, bytes: 'changed' }]), { from, query }));
    expect(first).toMatchObject({ status: 200, replayed: false });
    const changed = { from, query, type: 'application/json' };
    const caption = JSON.stringify({ fileInfo: { caption: replace } });
    const captioned = await seen(await post(`${replace}-info`, caption, changed));
    expect(await seen(await post(`${replace}-info`, caption, changed))).toEqual({ ...captioned, replayed: true });
    expect(await seen(await post(replace, formOf([{ ...TEXT, bytes: 'changed' }]), { from, query }))).toEqual({
      ...first,
      replayed: true,
    });
    await forgetResponses();
    const now = await post(replace, formOf([{ ...TEXT, bytes: 'changed' }]), { from, query });
    expect([now.status, await now.json()]).toMatchObject([200, { documentId, caption: replace }]);
    await expectTidy(1);
  });
});

describe('concurrent uploads with one key', () => {
  it('store one file: the others are a 409', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => post('at-once', formOf([TEXT]))));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    await expectTidy(1);
  });

  it('in other isolates, too: who commits later has the response of the first', async () => {
    const first = await seen(await post('isolates', formOf([TEXT])));
    const turn = () => env.DB.prepare('update edgewise_requests set created_at = -created_at').run();
    await turn();
    const slow = serve({}, { DB: interleavedDatabase(env.DB, 1, turn) });
    expect(await seen(await post('isolates', formOf([TEXT]), { from: slow }))).toEqual({ ...first, replayed: true });
    await expectTidy(1);
  });
});

describe('the cost', () => {
  it('without a key is nothing, and with one no round trip before the response', async () => {
    const batchesOf = async (request: (from: typeof send) => Promise<Response>) => {
      const { database, answering } = countedDatabase(env.DB);
      await request(serve({}, { DB: database }));
      return answering();
    };
    const plain = await batchesOf((from) => postForm(from, formOf([TEXT])));
    expect(plain.flat().join()).not.toContain('edgewise_requests');
    const keyed = await batchesOf((from) => post('cost', formOf([TEXT]), { from }));
    // The last batch stores the response, after it was sent.
    const [read = 0, write = 0] = plain.map((batch) => batch.length);
    expect([plain.length, keyed.map((batch) => batch.length)]).toEqual([2, [read + 1, write + 2, 1]]);
  });
});
