/**
 * @module Content with a secret in every private attribute and password, linked so that populate reaches all of it.
 */
import { env } from 'cloudflare:workers';
import { clientOf, documentOf } from '../support/client.ts';
import { createTables, createToken, serve } from '../support/recorded.ts';
import { register } from '../support/users.ts';
import { CANARY, CANARY_NUMBER } from './invariants.ts';

export const TOKEN = 'fuzz';
const PUBLIC = ['article', 'author', 'category', 'tag', 'homepage', 'site-setting'];

const granted = (...actions: string[]) =>
  PUBLIC.flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`));

export const send = serve({
  roles: {
    public: granted('find', 'findOne'),
    authenticated: [...granted('find', 'findOne', 'create', 'update'), 'plugin::users-permissions.user.find'],
  },
});

/** A user who may read and write what the public reads, and look at other users. */
export const signedIn = { jwt: '' };

const client = clientOf(send, TOKEN);
const secrets = { internalNotes: CANARY, editorRank: CANARY_NUMBER, accessCode: CANARY };
const seo = { metaTitle: 'Title', internalScore: CANARY_NUMBER };

/** Users and files have no endpoints that write them here; their rows are made by hand. */
async function insertSystemRows(): Promise<void> {
  const stamps = '"document_id", "locale", "published_at", "created_at", "updated_at"';
  await env.DB.batch([
    env.DB.prepare(
      `insert into "up_users" (${stamps}, "username", "email", "password", "reset_password_token", "confirmation_token") values ('user', '', 1, 1, 1, 'zed', 'zed@example.com', ?1, ?1, ?1)`,
    ).bind(CANARY),
    env.DB.prepare(
      `insert into "files" (${stamps}, "name", "hash", "mime", "size", "url", "provider", "folder_path") values ('file', '', 1, 1, 1, 'a.png', 'a', 'image/png', 1, '/a.png', 'r2', ?)`,
    ).bind(CANARY),
  ]);
}

/** uid → documentId of a document that keeps its secret through the whole run. */
const kept = new Map<string, string>();
/** uid → documentId of the last document that the run itself has made. */
const made = new Map<string, string>();

async function create(path: string, uid: string, data: object): Promise<void> {
  kept.set(uid, (await documentOf(client.create(path, resolve(data)))).documentId);
}

const resolve = (data: object): object => JSON.parse(withDocuments(JSON.stringify(data))) as object;

/** Tables, tokens, and documents that are linked with each other. */
export async function createWorld(): Promise<void> {
  await createTables();
  await createToken(TOKEN, 'full-access');
  await createToken('reads', 'read-only');
  await insertSystemRows();
  ({ jwt: signedIn.jwt } = await register(send, 'fuzzer'));
  kept.set('plugin::upload.file', 'file').set('plugin::users-permissions.user', 'user');
  const hidden = { pin: CANARY, secretNote: CANARY };
  await create('/api/authors', 'api::author.author', { name: 'Zed', ...hidden, account: 'user', avatar: 'file' });
  await create('/api/tags', 'api::tag.tag', { name: 'Red' });
  await create('/api/categories', 'api::category.category', { name: 'News' });
  const links = {
    author: '{api::author.author}',
    tags: ['{api::tag.tag}'],
    reviewers: ['{api::author.author}'],
    categories: ['{api::category.category}'],
  };
  const article = { title: 'Secretive', code: 'secretive', ...secrets, ...links, cover: 'file', seo };
  await create('/api/articles', 'api::article.article', article);
  const cover = { editor: '{api::author.author}', coverStory: '{api::article.article}', promo: seo };
  await create('/api/issues', 'api::issue.issue', { title: 'Issue', number: 1, ...cover });
  await create('/api/comments', 'api::comment.comment', { text: 'a', article: '{api::article.article}' });
  await client.create(
    '/api/articles?status=draft',
    resolve({ title: 'Draft', ...secrets, related: ['{api::article.article}'], seo }),
  );
  await client.update('/api/site-setting', { siteName: 'Site', apiSecret: CANARY });
}

/**
 * Generated requests name documents by type, so that a seed repeats a run: `{api::tag.tag}` is the one that is kept,
 * `{made:api::tag.tag}` the last that was made.
 */
export const withDocuments = (text: string): string =>
  text.replaceAll(
    /\{(made:)?((?:api|plugin)::[\w.-]+)\}/g,
    (_, own: string | undefined, uid: string) => (own ? made : kept).get(uid) ?? 'nope',
  );

export function remember(uid: string, documentId: unknown): void {
  if (typeof documentId === 'string') made.set(uid, documentId);
}
