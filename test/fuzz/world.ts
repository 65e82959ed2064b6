/**
 * @module Content with a secret in every private attribute and password, linked so that populate reaches all of it.
 */
import { env } from 'cloudflare:workers';
import { findMismatches } from '../../cli/media/find-mismatches.ts';
import { readAccessToken } from '../../src/features/oauth/tokens.ts';
import { OF_TOOL } from '../../src/http/context.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import type { Host, Kind } from '../generators/callers.ts';
import { ownRoutes } from '../generators/features/own-code.ts';
import { settingsOf } from '../generators/features.ts';
import { createRegistryTables, runCron, type Send, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { JWT_SECRET, PASSWORD } from '../support/users.ts';
import { letIn, rolesOf } from './callers.ts';
import { CANARY, CANARY_NUMBER, DRAFT, FORBIDDEN, SHOWN } from './invariants.ts';
import { HIDING_COLUMNS, NOTE, PIN, registry } from './model.ts';

/** Full access. */
export const TOKEN = 'full';

/** Every component has a password. */
const settings: SettingsInput = {
  ...settingsOf(registry),
  oauth: true,
  roles: rolesOf('requests'),
  api: { rest: { deepPopulate: true, limits: { passwords: 50 } } },
};

const serve = (bindings: object = {}) => serveRegistry(registry, settings, bindings, undefined, { routes: ownRoutes });
const sendAny = serve();

/** The credentials of callers, by name. */
export const credentials: Record<string, string> = {};

/** The servers of clients, which reach the API by tools: these send its claims in place of the header. */
const serversOfTools = new Map<string, Send>();

export const send: Send = (path, init) => {
  const headers = new Headers(init?.headers);
  const toTools = path.startsWith('/mcp') ? undefined : serversOfTools.get(headers.get('authorization') ?? '');
  if (!toTools) return sendAny(path, init);
  headers.delete('authorization');
  return toTools(path, { ...init, headers });
};
export const fireCron = () => runCron(registry, settings);
const sendWithSessions = serveRegistry(registry, {
  ...settings,
  users: { jwtManagement: 'refresh', sessions: { accessTokenLifespan: '30d' } },
});

export const serverOf = ({ server }: { readonly server?: 'sessions' }) => (server ? sendWithSessions : send);

/** What a run refers to as `{=name}`: the last file it uploaded, and the tokens of a session. */
const latest = { file: 'nope', key: 'nope', access: 'nope', refresh: 'nope' };

const client = clientOf(send, TOKEN);
const secrets = { internalNotes: CANARY, editorRank: CANARY_NUMBER, accessCode: CANARY };

/** A component of this type with its secrets. */
const hiding = (data: object): object => ({ ...data, [NOTE]: CANARY, [PIN]: CANARY });
const link = hiding({ label: 'Link', href: '/' });
const card = hiding({ title: 'Card', person: '{api::author.author}', link });
const seo = hiding({ metaTitle: 'Title', internalScore: CANARY_NUMBER, shareImage: 'file', card, alternates: [link] });
const quote = hiding({ __component: 'blocks.quote', text: 'Said', speaker: '{api::author.author}' });
const gallery = hiding({ __component: 'blocks.gallery', title: 'Seen', images: ['file'], links: [link] });
const callout = hiding({ __component: 'blocks.callout', title: 'Heard', articles: ['{api::article.article}'], card });

const STAMPS = '"document_id", "locale", "published_at", "created_at", "updated_at"';

/** A user whose row is made by hand, for no endpoint writes all of it; the first one of the table. */
const insertUser = () =>
  env.DB.prepare(
    `insert or replace into "up_users" ("id", ${STAMPS}, "username", "username_key", "email", "email_key", "password", "reset_password_token", "confirmation_token", "password_changed_at") values (1, 'user', '', 1, 1, 1, 'zed', ?1, 'zed@example.com', ?1, ?1, ?1, ?1, ?2)`,
  ).bind(CANARY, CANARY_NUMBER);

/** A session that lasts, of a user who is not there: nobody may see it or end it. */
export const HIDDEN_SESSION = 'hidden-session';

/** A time to come that has the number in it. */
const LATER = CANARY_NUMBER * 10;

/** An object that no file has; its key is a path, and no URL leads there. */
const HIDDEN_OBJECT = 'hidden/canary.txt';

/** Files, tokens and sessions have no endpoints either. */
async function insertSystemRows(): Promise<void> {
  await env.DB.batch([
    insertUser(),
    env.DB.prepare(
      `insert into "files" (${STAMPS}, "name", "hash", "mime", "size", "url", "provider", "folder_path") values ('file', '', 1, 1, 1, 'a.png', 'a', 'image/png', 1, '/a.png', 'r2', ?)`,
    ).bind(CANARY),
    env.DB.prepare(
      `insert into "strapi_api_tokens" (${STAMPS}, "name", "type", "access_key") values ('hidden', '', 1, 1, 1, 'hidden', 'full-access', ?)`,
    ).bind(CANARY),
    env.DB.prepare(
      `insert into "strapi_sessions" (${STAMPS}, "user_id", "device_id", "device_name", "key_hash", "expires_at", "absolute_expires_at") values (?4, '', 1, 1, 1, ?2, ?1, ?1, ?1, ?3, ?3)`,
    ).bind(CANARY, CANARY_NUMBER, LATER, HIDDEN_SESSION),
  ]);
  await env.MEDIA.put(HIDDEN_OBJECT, CANARY);
}

/** What writes must never reach: rows and objects that are gone, and objects that no file has. */
export async function damage(): Promise<readonly string[]> {
  const session = env.DB.prepare('select 1 as "found" from "strapi_sessions" where "document_id" = ?');
  const { orphans, strange } = await findMismatches({ db: env.DB, bucket: env.MEDIA }, () => {});
  return [
    ...((await session.bind(HIDDEN_SESSION).first('found')) ? [] : [HIDDEN_SESSION]),
    ...((await env.MEDIA.head(HIDDEN_OBJECT)) ? [] : [HIDDEN_OBJECT]),
    ...[...orphans, ...strange].map(({ key }) => key).filter((key) => key !== HIDDEN_OBJECT),
  ];
}

/** Signs in anew, for a run also signs out. */
async function openSession(): Promise<void> {
  const body = JSON.stringify({ identifier: 'anna', password: PASSWORD });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answer = (await (await sendWithSessions('/api/auth/local', init)).json()) as Record<string, string>;
  if (!answer.jwt || !answer.refreshToken) throw new Error('the user of the run cannot sign in any more');
  Object.assign(latest, { access: answer.jwt, refresh: answer.refreshToken });
}

/** uid → documentId of a document that keeps its secret through the whole run. */
const kept = new Map<string, string>();
/** uid → documentId of the last document that the run itself has made. */
const made = new Map<string, string>();

async function create(path: string, uid: string, data: object): Promise<void> {
  kept.set(uid, (await documentOf(client.create(path, resolve(data)))).documentId);
}

const resolve = (data: object): object => JSON.parse(withDocuments(JSON.stringify(data))) as object;

const article = {
  title: 'Secretive',
  code: 'secretive',
  ...secrets,
  author: '{api::author.author}',
  tags: ['{api::tag.tag}'],
  reviewers: ['{api::author.author}'],
  categories: ['{api::category.category}'],
  cover: 'file',
  seo,
  facts: [hiding({ label: 'Fact', source: link })],
  links: [link],
  sections: [quote, gallery, { ...callout, articles: [] }],
};

/** Nobody knows its documentId, so nobody can write it; it stands beside everything that everybody may find. */
const draft = {
  title: DRAFT,
  ...secrets,
  author: '{api::author.author}',
  tags: ['{api::tag.tag}'],
  categories: ['{api::category.category}'],
  related: ['{api::article.article}'],
  cover: 'file',
  seo,
};

/** Puts back what is hidden in the documents that are kept. It takes seconds, for there are many passwords. */
async function plant(): Promise<void> {
  const path = (route: string, uid: string) => `/api/${route}/${kept.get(uid)}`;
  const hidden = { pin: CANARY, secretNote: CANARY };
  await client.update(path('authors', 'api::author.author'), { ...hidden, links: [link] });
  await client.update(
    path('articles', 'api::article.article'),
    resolve({ ...article, related: ['{api::article.article}'] }),
  );
  await client.update(path('issues', 'api::issue.issue'), resolve({ title: FORBIDDEN, promo: seo }));
  await client.update('/api/site-setting', { siteName: 'Site', apiSecret: CANARY, footerLinks: [link] });
  await client.update('/api/homepage', resolve({ heading: 'Home', seo, sections: [quote, callout] }));
}

/** Columns in which nothing is hidden although something should be. */
export async function unplanted(): Promise<readonly string[]> {
  const counts = HIDING_COLUMNS.map(({ table, column }) =>
    env.DB.prepare(
      `select '${table}.${column}' as "column", count(*) as "count" from "${table}" where instr("${column}", ?1) or instr("${column}", ?2) or instr("${column}", 'scrypt$')`,
    ).bind(CANARY, String(CANARY_NUMBER)),
  );
  const answers = await env.DB.batch<{ column: string; count: number }>(counts);
  return answers.flatMap(({ results }) => results.filter(({ count }) => count === 0).map(({ column }) => column));
}

/** Signs in anew, and puts back what is hidden, with its links: always, or if some of it is gone. */
export async function tend(always: boolean): Promise<void> {
  await insertUser().run();
  await openSession();
  if (always || (await unplanted()).length > 0) await plant();
}

/** Lets callers of some kinds in. */
async function giveCredentials(...kinds: readonly Kind[]): Promise<void> {
  const host: Host = {
    run: (sql, ...values) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run(),
    async send(method, path, body, asPublic) {
      const headers = { 'content-type': 'application/json', ...(!asPublic && { authorization: `Bearer ${TOKEN}` }) };
      return (await send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
    },
    now: Date.now(),
    previewed: { uid: 'api::article.article', documentId: kept.get('api::article.article') ?? '' },
  };
  const given = await letIn(host, 'requests', kinds);
  Object.assign(credentials, given);
  if (!kinds.includes('client')) return;
  for (const token of Object.values(given)) {
    const header = `Bearer ${token}`;
    const claims = await readAccessToken(header, JWT_SECRET, host.now);
    serversOfTools.set(header, serve({ [OF_TOOL]: { claims } }));
  }
}

/** Tables, tokens, and documents that are linked with each other. */
export async function createWorld(): Promise<void> {
  await createRegistryTables(registry);
  await giveCredentials('token', 'public');
  await insertSystemRows();
  await giveCredentials('user');
  await giveCredentials('client');
  kept.set('plugin::upload.file', 'file').set('plugin::users-permissions.user', 'user');
  await create('/api/authors', 'api::author.author', { name: 'Zed', account: 'user', avatar: 'file' });
  await create('/api/tags', 'api::tag.tag', { name: 'Red' });
  await create('/api/categories', 'api::category.category', { name: 'News' });
  await create('/api/articles', 'api::article.article', article);
  await giveCredentials('preview');
  const cover = { editor: '{api::author.author}', coverStory: '{api::article.article}' };
  await create('/api/issues', 'api::issue.issue', { title: FORBIDDEN, number: 1, ...cover });
  const comment = { text: FORBIDDEN, article: '{api::article.article}', by: '{api::author.author}' };
  await create('/api/comments', 'api::comment.comment', comment);
  await documentOf(client.create('/api/articles?status=draft', resolve(draft)));
  await documentOf(client.create('/api/bookmarks?status=draft', resolve({ label: DRAFT, box: [link] })));
  const middle = {
    internalNotes: 'middle',
    editorRank: 1_000,
    seo: { metaTitle: 'M', internalScore: 1_000, [NOTE]: 'middle' },
  };
  await documentOf(client.create('/api/articles', { title: 'Between', ...middle }));
  await documentOf(client.create('/api/issues', resolve({ title: SHOWN, number: 2, editor: cover.editor })));
  await documentOf(client.create('/api/comments', resolve({ ...comment, text: SHOWN })));
  await documentOf(client.create('/api/authors', { name: 'Between', secretNote: 'middle' }));
  await tend(true);
}

/** Placeholders of the documents of a type. */
export const idsIn = (uid: string): readonly string[] => [`{${uid}}`, `{${uid}}`, `{made:${uid}}`];

/**
 * Generated requests name documents by type, so that a seed repeats a run: `{api::tag.tag}` is the one that is kept,
 * `{made:api::tag.tag}` the last that was made.
 */
export const withDocuments = (text: string): string =>
  text
    .replaceAll(
      /\{(made:)?((?:api|plugin)::[\w.-]+)\}/g,
      (_, own: string | undefined, uid: string) => (own ? made : kept).get(uid) ?? 'nope',
    )
    .replaceAll(/\{=(file|key|access|refresh)\}/g, (_, name: keyof typeof latest) => latest[name]);

function remember(uid: string, documentId: unknown): void {
  if (typeof documentId === 'string') made.set(uid, documentId);
}

/** Keeps what an answer has given: the document or the file that was made, or the tokens. */
export function rememberAnswer(uid: string, answer: unknown): void {
  const { data, jwt, refreshToken } = answer as { readonly [key: string]: unknown; data?: { documentId?: unknown } };
  remember(uid, data?.documentId);
  if (typeof jwt === 'string' && typeof refreshToken === 'string')
    Object.assign(latest, { access: jwt, refresh: refreshToken });
  const [file] = Array.isArray(answer) ? (answer as readonly { id: number; documentId: string; url: string }[]) : [];
  if (!file) return;
  remember(uid, file.documentId);
  Object.assign(latest, { file: String(file.id), key: file.url.replace('/uploads/', '') });
}
