/**
 * @module Conditions of grants hold for each request of a batch.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { documentOf, errorOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openRights } from '../../support/worlds/rights.ts';
import { id } from '../../support/worlds/rights-model.ts';

const OWN = { author: '$user' };
const settings: SettingsInput = {
  roles: {
    authenticated: [
      { action: [id('note', 'find'), id('note', 'findOne')], where: { $or: [OWN, { text: { $eq: 'open' } }] } },
      { action: id('note', 'create'), set: { author: '$user' }, validate: { number: { $lt: 100 } } },
      { action: id('note', 'update'), where: OWN, validate: { number: { $lt: 100 } } },
      { action: id('note', 'delete'), where: OWN },
      { action: id('story', 'find'), where: { title: 'shown' } },
      id('story', 'create'),
      id('folder', 'create'),
      id('folder', 'find'),
      id('folder', 'update'),
    ],
  },
};
const { client: full, send } = openRights(settings);
let anna: SignedIn;
const ids: Record<string, string> = {};

const ask = (requests: unknown) => send('/api/batch', sendJson('POST', anna.jwt, { requests }));
const post = (path: string, data: unknown) => ({ method: 'POST', path, body: { data } });
const put = (name: string, data: unknown) => ({ method: 'PUT', path: `/api/notes/${ids[name]}`, body: { data } });
const remove = (name: string) => ({ method: 'DELETE', path: `/api/notes/${ids[name]}` });
const folders = async () =>
  (await env.DB.prepare('select count(*) as "count" from "folders"').first('count')) as number;

beforeAll(async () => {
  anna = await register(send, 'anna');
  const bert = await register(send, 'bert');
  const documents = { annas: anna.user.id, berts: bert.user.id, open: bert.user.id };
  for (const [text, author] of Object.entries(documents))
    ids[text] = (await documentOf(full.create('/api/notes', { text, author, number: 1 }))).documentId;
});

describe('a batch under conditions', () => {
  it.each([
    ['404 for an update of what is not visible', () => put('berts', { number: 2 }), 404],
    ['403 for an update of what is only visible', () => put('open', { number: 2 }), 403],
    ['404 for a delete of what is not visible', () => remove('berts'), 404],
    ['403 for a delete of what is only visible', () => remove('open'), 403],
    ['400 for a document that does not match afterwards', () => put('annas', { number: 100 }), 400],
    ['400 for a new document that does not match', () => post('/api/notes', { number: 100 }), 400],
    ['400 for a link to what is not visible', () => post('/api/folders', { name: 'g', notes: [ids.berts] }), 400],
  ])('is %s, as alone, before any later failure, and writes nothing', async (_, request, status) => {
    const before = await folders();
    const sent = request();
    const body = 'body' in sent ? sent.body : {};
    const alone = await errorOf(send(sent.path, sendJson(sent.method, anna.jwt, body)));
    const requests = [post('/api/folders', { name: 'f' }), sent, post('/api/folders', { name: 5, unknown: 1 })];
    const { details, ...failed } = await errorOf(ask(requests));
    expect(failed).toMatchObject({ status, name: alone.name, message: alone.message });
    expect(details).toMatchObject({ request: 1 });
    expect(await folders()).toBe(before);
  });

  it('links to no new document that the caller may not find', async () => {
    const story = (title: string) => post('/api/stories', { title });
    const folder = post('/api/folders?populate=any', {
      name: 'f',
      any: [{ __type: 'api::story.story', documentId: '$ref:0' }],
    });
    expect((await ask([story('shown'), folder])).status).toBe(200);
    const before = await folders();
    expect(await errorOf(ask([story('hidden'), folder]))).toMatchObject({ status: 400, details: { request: 1 } });
    expect(await folders()).toBe(before);
  });
});
