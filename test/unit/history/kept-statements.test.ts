/**
 * @module The statements that keep versions: before a new document there is nothing to keep.
 */
import { expect, it } from 'vitest';
import { localesOf } from '../../support/locales.ts';
import { memoryWorld } from '../../support/memory-app.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const note = contentType('note', { title: { type: 'string' } }, { localized: true });
const { counted, serve } = await memoryWorld(registryOf([note]));
const send = serve({ history: true, i18n: localesOf('en', 'fr', 'de') });
const body = { data: { title: 'New' } };
const create = { method: 'POST', path: '/api/notes', body };

/** Writes, and returns the statements that keep versions. */
async function keptBy(requests: readonly object[]): Promise<readonly string[]> {
  counted.batches.splice(0);
  expect((await send('POST', 'batch', { requests })).status).toBe(200);
  return counted.batches.flat().filter((sql) => sql.startsWith('insert or replace into "edgewise_history"'));
}
const kept = async (requests: readonly object[]): Promise<number> => (await keptBy(requests)).length;

it('are those of each write of a batch, where one adds a locale and the other creates a document', async () => {
  const response = await send('POST', 'notes', body);
  const { data } = (await response.json()) as { readonly data: { readonly documentId: string } };
  const add = (locale: string) => ({ method: 'PUT', path: `/api/notes/${data.documentId}?locale=${locale}`, body });
  const [ofLocale, ofCreate] = [await kept([add('fr')]), await kept([create])];
  expect([ofLocale > ofCreate, ofCreate > 0]).toEqual([true, true]);
  expect(await kept([add('de'), create])).toBe(ofLocale + ofCreate);
});

it('look for the version before only of a document that may have one', async () => {
  const response = await send('POST', 'notes', body);
  const { data } = (await response.json()) as { readonly data: { readonly documentId: string } };
  const update = { method: 'PUT', path: `/api/notes/${data.documentId}`, body: { data: { title: 'Newer' } } };
  const looking = async (request: object) => (await keptBy([request])).map((sql) => sql.includes('"at") + 1'));
  expect([await looking(create), (await looking(update)).at(-1)]).toEqual([[false], true]);
});
