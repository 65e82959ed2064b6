/**
 * @module What `edgewise webhook` does: it lists webhooks, tests them, and sends again what they did not take.
 */
import type { Row } from '../../sql/statement.ts';
import { counted } from '../core/counted.ts';
import { suggestion } from '../core/near-words.ts';
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

export interface ListFlags extends Target {
  readonly json?: true;
}

const isoTime = (time: unknown): string | null => (typeof time === 'number' ? new Date(time).toISOString() : null);

/** Returns the URLs of the settings, or the one that is named. @throws UserError for another */
async function namedUrls(root: string, url: string | undefined): Promise<readonly string[]> {
  const urls = (await loadSettings(root)).webhooks.map((webhook) => webhook.url);
  if (urls.length === 0) throw new UserError('edgewise.config.ts has no webhooks');
  if (url === undefined) return urls;
  if (!urls.includes(url)) throw new UserError(`webhooks has no url "${url}"${suggestion(url, urls)}`);
  return [url];
}

const stateOf = (endpoint: Row | undefined): 'working' | 'failing' | 'paused' => {
  if (!endpoint) return 'working';
  return endpoint.paused_at === null ? 'failing' : 'paused';
};

async function readWebhooks(root: string, target: Target) {
  const { webhooks } = await loadSettings(root);
  const [endpoints = [], counts = [], givenUp = []] = await executeSql(LIST_WEBHOOKS_SQL, target);
  return {
    webhooks: webhooks.map(({ url, events, types }) => {
      const endpoint = endpoints.find((row) => row.url === url);
      const count = counts.find((row) => row.endpoint === url);
      return {
        ...{ url, events, types: types ?? null, state: stateOf(endpoint) },
        ...{ failingSince: isoTime(endpoint?.failing_since), pausedAt: isoTime(endpoint?.paused_at) },
        waiting: Number(count?.waiting ?? 0),
        waitingSince: isoTime(count?.waiting_since),
        delivered: Number(count?.delivered ?? 0),
        givenUp: Number(count?.given_up ?? 0),
        error: count?.error ?? null,
      };
    }),
    givenUp: givenUp.map((row) => ({
      ...{ id: row.id, url: row.endpoint, event: row.event, uid: row.type, documentId: row.document_id },
      ...{ locale: row.locale === '' ? null : row.locale, createdAt: isoTime(row.created_at) },
      ...{ attempts: row.attempts, error: row.error },
    })),
  };
}

export async function listWebhooks(root: string, { json, ...target }: ListFlags): Promise<void> {
  const { webhooks, givenUp } = await readWebhooks(root, target);
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
    `stored ${counted(urls.length, 'message')}, which the cron trigger sends within a minute: npm run webhook -- list`,
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
