/**
 * @module Content with secrets, callers who may not read them, and comparison of the responses to right and wrong guesses.
 */
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { clientOf, documentOf } from '../support/client.ts';
import { bearer, createTables, createToken, serve } from '../support/recorded.ts';
import { register } from '../support/users.ts';

/** Value of every private text; `RANK` of every private number. */
export const SECRET = 'kestrel';
export const RANK = 48_151_623;
/** Text of a comment; only full access may find comments. */
export const FORBIDDEN_TEXT = 'whispered';

export const settings = {
  history: true as const,
  roles: {
    public: ['api::article.article.find', 'api::article.article.findOne', 'api::homepage.homepage.find'],
    authenticated: [
      'api::article.article.find',
      'api::author.author.find',
      'plugin::users-permissions.user.find',
      'plugin::users-permissions.user.findOne',
      'plugin::users-permissions.user.count',
    ],
  },
};

export const send = serve(settings);
export const owner = clientOf(send, 'full');

/** Filled by `createWorld`. */
export const world = { article: '', author: '', comment: '', revision: '', victim: 0, jwt: '' };

async function createUsers(): Promise<string> {
  const { user } = await register(send, 'victim');
  const secrets = 'update "up_users" set "reset_password_token" = ?1, "confirmation_token" = ?1 where "id" = ?2';
  await env.DB.prepare(secrets).bind(SECRET, user.id).run();
  world.victim = user.id;
  world.jwt = (await register(send, 'attacker')).jwt;
  return user.documentId;
}

/** Tables, a token with full access (`full`) and one that reads (`reads`), two users, and linked content. */
export async function createWorld(): Promise<void> {
  await createTables();
  await createToken('full', 'full-access');
  await createToken('reads', 'read-only');
  const account = await createUsers();
  const author = { name: 'Zed', secretNote: SECRET, pin: SECRET, account };
  world.author = (await documentOf(owner.create('/api/authors', author))).documentId;
  const seo = { metaTitle: 'Title', internalScore: RANK };
  const article = {
    title: 'An article',
    slug: 'an-article',
    extra: { a: 1 },
    internalNotes: SECRET,
    editorRank: RANK,
    accessCode: SECRET,
    author: world.author,
    seo,
    sections: [{ __component: 'blocks.quote', text: 'said', speaker: world.author }],
  };
  world.article = (await documentOf(owner.create('/api/articles', article))).documentId;
  const comment = { text: FORBIDDEN_TEXT, article: world.article, by: world.author };
  world.comment = (await documentOf(owner.create('/api/comments', comment))).documentId;
  const history = await owner.get(`/api/articles/${world.article}/history`);
  world.revision = ((await history.json()) as { data: [{ revision: string }] }).data[0].revision;
  await owner.update('/api/homepage', { heading: 'Home', seo, featuredArticles: [world.article] });
}

export const asUser = (): RequestInit => bearer(world.jwt);

/** Returns the status and the text of a response, without the guess in it. */
async function learned(path: string, guess: string, init?: RequestInit): Promise<string> {
  const response = await send(path, init);
  return `${response.status} ${(await response.text()).replaceAll(guess, '…').replaceAll(encodeURIComponent(guess), '…')}`;
}

/** Expects the same response to a right and a wrong guess, which replace `GUESS` in the path. */
export async function expectNoOracle(
  path: string,
  guesses: readonly [right: string, wrong: string],
  init?: RequestInit,
) {
  const [right, wrong] = await Promise.all(
    guesses.map((guess) => learned(path.replaceAll('GUESS', guess), guess, init)),
  );
  expect(right).toBe(wrong);
  return right ?? '';
}
