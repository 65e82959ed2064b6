/**
 * @module The cron trigger has the same deployment as requests: roles by name, the secret, the code of the project.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { TEXT, uploadOne } from '../../support/uploads.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const STORY = 'api::story.story';

const settings: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { private: true },
  cache: { [STORY]: { maxAge: 60, staleWhileRevalidate: 600 } },
  roles: { public: [`${STORY}.find*`] },
};
const { send } = openKinds(settings);

interface Story {
  id: number;
  documentId: string;
  attachment: { id: number; url: string };
}

/** As `generate` would write them. */
interface Types {
  stories: { uid: typeof STORY; kind: 'collectionType'; document: Story; draft: Story; create: object; update: object };
}

/** Schedules the publication of a new story, and lets its time come. */
async function scheduleStory(data: object): Promise<void> {
  const { documentId } = await documentOf(clientOf(send, 'full').create('/api/stories?status=draft', data));
  const at = new Date(Date.now() + 60_000).toISOString();
  await send(`/api/stories/${documentId}/actions/publish`, sendJson('POST', 'full', { data: { at } }));
  await env.DB.exec('update edgewise_scheduled set "at" = 1');
}

beforeAll(async () => {
  // What is left to purge after a migration.
  await runCron(kindsRegistry, settings);
});

describe('a scheduled publication', () => {
  it('purges the responses of a public role whose grants are patterns', async () => {
    const purged: string[] = [];
    const context = createExecutionContext();
    const purge = async ({ tags }: { tags: string[] }) => ({ success: purged.push(...tags) > 0, errors: [] });
    Object.defineProperty(context, 'cache', { value: { purge } });
    await scheduleStory({ title: 'A' });
    await runCron(kindsRegistry, settings, {}, undefined, context);
    expect(purged).toEqual([`${STORY}:published`]);
  });

  it('runs an afterCommit that reads signed addresses of private files', async () => {
    const { id } = await uploadOne(send, TEXT, { fileInfo: JSON.stringify({ private: true }) });
    const urls: string[] = [];
    const afterCommit: Extensions<Types>['afterCommit'] = async ([change], { documents }) => {
      const { data } = await documents(STORY).findOne(change?.documentId ?? '', { populate: 'attachment' });
      urls.push(data.attachment.url);
    };
    await scheduleStory({ title: 'B', attachment: id });
    await runCron(kindsRegistry, settings, {}, { afterCommit } as unknown as AnyExtensions);
    expect(urls).toEqual([expect.stringContaining('&signature=')]);
    expect((await send(urls[0] ?? '')).status).toBe(200);
  });
});

describe('a purge that commands have noted', () => {
  const note = () => env.DB.exec(`update edgewise_stamps set "stamps" = json_set("stamps", '$."purge"', 1)`);

  /** Runs the cron trigger with a cache. @returns how often the cache is asked */
  async function run(purge: () => Promise<boolean>): Promise<number> {
    let asked = 0;
    const context = createExecutionContext();
    const cache = {
      purge: async () => {
        asked += 1;
        return { success: await purge(), errors: [] };
      },
    };
    Object.defineProperty(context, 'cache', { value: cache });
    await runCron(kindsRegistry, settings, {}, undefined, context);
    return asked;
  }

  it('is done again, if commands change content meanwhile', async () => {
    await note();
    const change = async () => {
      await env.DB.exec(`update edgewise_stamps set "stamps" = json_set("stamps", '$."every"', 'later')`);
      return true;
    };
    expect(await run(change)).toBe(1);
    expect(await run(async () => true)).toBe(1);
    expect(await run(async () => true)).toBe(0);
  });
});
