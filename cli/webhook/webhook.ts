/**
 * @module What `edgewise webhook` does: it lists webhooks, tests them, and sends again what they did not take.
 */

import { suggestion } from '../../src/common/near-words.ts';
import { counted } from '../core/counted.ts';
import {
  LIST_WEBHOOKS_SQL,
  releaseMessagesSql,
  resumeWebhooksSql,
  retryWebhooksSql,
  testWebhookSql,
} from '../core/sql/webhooks.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { print, printJson, progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { loadSettings } from '../project/settings.ts';

type ListFlags = Target & { readonly json?: true };

/** Returns the URLs of the settings, or the one that is named. @throws UserError for another */
async function namedUrls(root: string, url: string | undefined): Promise<readonly string[]> {
  const urls = (await loadSettings(root)).webhooks.map((webhook) => webhook.url);
  if (urls.length === 0) throw new UserError('edgewise.config.ts has no webhooks');
  if (url === undefined) return urls;
  if (!urls.includes(url)) throw new UserError(`webhooks has no url "${url}"${suggestion(url, urls)}`);
  return [url];
}

/** A webhook without messages that has not failed. */
const IDLE = {
  state: 'working',
  failingSince: null,
  pausedAt: null,
  waiting: 0,
  waitingSince: null,
  delivered: 0,
  givenUp: 0,
  error: null,
};

export async function listWebhooks(root: string, { json, ...target }: ListFlags): Promise<void> {
  const settings = await loadSettings(root);
  const [endpoints = [], counts = [], givenUp = []] = await executeSql(LIST_WEBHOOKS_SQL, target);
  const webhooks = settings.webhooks.map(({ url, events, types = null }) => {
    const [endpoint, count] = [endpoints, counts].map((rows) => rows.find((row) => row.url === url));
    return { url, events, types, ...IDLE, ...endpoint, ...count };
  });
  if (json) return printJson({ webhooks, givenUp });
  if (webhooks.length === 0) progress('no webhooks');
  for (const { url, state, pausedAt, waiting, delivered, givenUp: lost, error } of webhooks) {
    const since = pausedAt === null ? '' : ` since ${pausedAt}`;
    print(`${url}  ${state}${since}: ${waiting} waiting, ${delivered} delivered within a day, ${lost} given up`);
    if (error !== null) print(`  last error: ${error}`);
  }
  for (const { id, url, event, uid, documentId, error } of givenUp)
    print(`given up: ${[id, url, event, uid, documentId].filter((part) => part !== '').join('  ')}  ${error}`);
}

export async function testWebhooks(root: string, url: string | undefined, target: Target): Promise<void> {
  const { webhooks } = await loadSettings(root);
  const isCalled = (each: string) => target.remote || webhooks.some((own) => own.url === each && own.allowPrivate);
  const urls = (await namedUrls(root, url)).filter(isCalled);
  if (urls.length === 0) throw new UserError('A local server calls only webhooks with allowPrivate: use --remote');
  await executeSql(
    urls.map((each) => testWebhookSql(each, Date.now())),
    target,
  );
  progress(
    `stored ${counted(urls.length, 'message')}, which the cron trigger sends within a minute: npx edgewise webhook list`,
  );
}

export async function retryWebhooks(root: string, url: string | undefined, target: Target): Promise<void> {
  const [rows = []] = await executeSql([retryWebhooksSql(await namedUrls(root, url), Date.now())], target);
  progress(`${counted(rows.length, 'message')} will be sent again`);
}

export async function resumeWebhooks(root: string, url: string | undefined, target: Target): Promise<void> {
  const urls = await namedUrls(root, url);
  const [rows = []] = await executeSql([resumeWebhooksSql(urls), releaseMessagesSql(urls, Date.now())], target);
  if (rows.length === 0) progress('no webhook is failing or paused');
  for (const row of rows) progress(`resumed ${row.url}`);
}
