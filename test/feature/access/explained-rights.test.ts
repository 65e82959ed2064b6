/**
 * @module 401 and 403 of a Worker that `npm run dev` has bundled: they say what is missing.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { createWorker } from '../../../src/worker.ts';
import { bearer, createTables, createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { contentType } from '../../support/schema-files.ts';

beforeAll(async () => {
  await createTables();
  await createToken('tags', 'custom', ['api::tag.tag.find']);
});

const open = (input: SettingsInput = {}) => {
  const settings = parseSettings({ rateLimit: { auth: { enabled: false } }, ...input });
  const app = createApp(createDeployment({ registry: recordedRegistry, settings, explainsRights: true }));
  return async (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://127.0.0.1:8787${path}`, init), env, createExecutionContext());
};
const dev = open();

type Answer = { readonly error: { readonly message: string; readonly details: object } };
const errorOf = async (response: Response | Promise<Response>) => (await (await response).json<Answer>()).error;

const PUBLIC = (id: string) =>
  `Forbidden. The public lacks the permission ${id}. To grant it to everybody: roles: { public: ['${id}'] } in edgewise.config.ts. To make a token that has it: npx edgewise token create --name <name> --type custom --permission ${id}`;
const TOKEN = (id: string) =>
  `Forbidden. This API token lacks the permission ${id}. To make one that has it: npx edgewise token create --name <name> --type custom --permission ${id}`;
const TAG = { data: { name: 'x' } };

describe('a Worker of npm run dev', () => {
  it.each<[string, string, RequestInit | undefined, string, (id: string) => string]>([
    ['a list', '/api/tags', undefined, 'api::tag.tag.find', PUBLIC],
    ['a document', '/api/tags/x', undefined, 'api::tag.tag.findOne', PUBLIC],
    ['users', '/api/users', undefined, 'plugin::users-permissions.user.find', PUBLIC],
    ['files', '/api/upload/files', undefined, 'plugin::upload.content-api.find', PUBLIC],
    ['a create', '/api/tags', sendJson('POST', 'tags', TAG), 'api::tag.tag.create', TOKEN],
    ['a document', '/api/tags/x', bearer('tags'), 'api::tag.tag.findOne', TOKEN],
  ])('names the permission for %s at %s', async (_, path, init, id, text) => {
    expect(await errorOf(dev(path, init))).toMatchObject({
      ...{ status: 403, name: 'ForbiddenError', message: text(id), details: { permission: id } },
    });
  });

  it('names the right to drafts', async () => {
    const drafts = open({ roles: { public: ['api::article.article.find'] } });
    const { message } = await errorOf(drafts('/api/articles?status=draft'));
    expect(message).toMatch(
      /^Forbidden\. The public lacks the permission api::article\.article\.readDrafts\. To make a token/,
    );
  });

  it('says nothing with the errors of Strapi', async () => {
    const strapi = open({ api: { rest: { errorDetails: 'strapi' } } });
    expect(await errorOf(strapi('/api/tags'))).toEqual({
      ...{ status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} },
    });
  });
});

it.each([true, undefined])('the bundle decides it: isDev %s', async (isDev) => {
  const files = { contentTypes: [contentType('note', { title: { type: 'string' } })], components: [] };
  const worker = createWorker({ ...files, ...(isDev && { isDev }) }, parseSettings({}));
  const response = await worker.fetch(new Request('http://127.0.0.1/api/notes'), env, createExecutionContext());
  const explained = PUBLIC('api::note.note.find');
  expect((await errorOf(response)).message).toBe(isDev ? explained : 'Forbidden');
});
