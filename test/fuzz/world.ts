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

/** documentIds that exist. */
export async function createWorld(): Promise<readonly string[]> {
  await createTables();
  await createToken(TOKEN, 'full-access');
  await createToken('reads', 'read-only');
  await insertSystemRows();
  ({ jwt: signedIn.jwt } = await register(send, 'fuzzer'));
  const author = await documentOf(
    client.create('/api/authors', { name: 'Zed', pin: CANARY, secretNote: CANARY, account: 'user', avatar: 'file' }),
  );
  const tag = await documentOf(client.create('/api/tags', { name: 'Red' }));
  const article = await documentOf(
    client.create('/api/articles', {
      title: 'Secretive',
      code: 'secretive',
      ...secrets,
      author: author.documentId,
      tags: [tag.documentId],
      reviewers: [author.documentId],
      cover: 'file',
      seo,
    }),
  );
  const draft = await documentOf(
    client.create('/api/articles?status=draft', { title: 'Draft', ...secrets, related: [article.documentId], seo }),
  );
  const issue = await documentOf(
    client.create('/api/issues', { title: 'Issue', number: 1, editor: author.documentId, coverStory: article.documentId, promo: seo }),
  );
  return [author, tag, article, draft, issue].map(({ documentId }) => documentId);
}
