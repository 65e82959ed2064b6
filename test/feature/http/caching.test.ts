/**
 * @module What a shared cache is told: the tags of an answer, and those that a commit makes untrue.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { documentOf } from '../../support/client.ts';
import { recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const CACHED: SettingsInput = {
  roles: { public: ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::author.author.find'] },
  cache: { 'api::tag.tag': { maxAge: 60, staleWhileRevalidate: 600 } },
};
const { client } = openMagazine();
let tag: string;

beforeAll(async () => {
  tag = (await documentOf(client.create('/api/tags', { name: 'One' }))).documentId;
});

it('an answer to HEAD, which refreshes what a cache keeps, has the tags of the answer to GET', async () => {
  const settings = { ...CACHED, roles: { public: ['api::tag.tag.find', 'api::article.article.find'] } };
  /** Of an isolate that has cached nothing. */
  const tagsOf = async (method: string) =>
    (await serve(settings)('/api/tags?populate=articles', { method })).headers.get('cache-tag');
  expect(await tagsOf('GET')).toContain('api::article.article:published');
  expect(await tagsOf('HEAD')).toBe(await tagsOf('GET'));
});

describe('after a commit', () => {
  it('what it made untrue is dropped', async () => {
    const asked: string[][] = [];
    /** Stands in for the cache in front of the Worker. */
    const cache = {
      purge: async ({ tags }: { tags: string[] }) => ({ success: asked.push(tags) > 0, errors: [] }),
    };
    const app = createApp(createDeployment({ registry: recordedRegistry, settings: parseSettings(CACHED) }));
    const context = createExecutionContext();
    Object.defineProperty(context, 'cache', { value: cache });
    const change = sendJson('PUT', 'full', { data: { name: 'Two' } });
    const response = await app.fetch(new Request(`http://edgewise.test/api/tags/${tag}`, change), env, context);
    await waitOnExecutionContext(context);
    expect(response.status).toBe(200);
    expect(asked).toEqual([['api::tag.tag:published']]);
  });
});
