/**
 * @module Passwords and private attributes: stored, never told.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, errorOf, totalOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const CANARY = 'canary7f3a';
const HIDDEN = { internalNotes: `notes ${CANARY}`, editorRank: 77_031, accessCode: `code ${CANARY}` };
let article = '';

beforeAll(async () => {
  const created = await client.create('/api/articles', { title: 'With secrets', code: 'secretive', ...HIDDEN });
  const text = await created.text();
  expect(text).not.toContain(CANARY);
  article = (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
});

interface StoredRow {
  readonly internal_notes: string;
  readonly editor_rank: number;
  readonly access_code: string;
}

/** Draft and published version of the article. */
async function stored(): Promise<readonly StoredRow[]> {
  const sql = 'select "internal_notes", "editor_rank", "access_code" from "articles" where "document_id" = ?';
  return (await env.DB.prepare(sql).bind(article).all<StoredRow>()).results;
}

describe('a private attribute', () => {
  it('is stored', async () => {
    expect(await stored()).toHaveLength(2);
    for (const row of await stored())
      expect(row).toMatchObject({ internal_notes: HIDDEN.internalNotes, editor_rank: HIDDEN.editorRank });
  });

  it.each(['', '?status=draft', '?fields=*', '?populate=*', '?fields=title'])(
    'is in no answer to %j',
    async (search) => {
      const answers = [
        await client.get(`/api/articles${search}`),
        await client.get(`/api/articles/${article}${search}`),
      ];
      for (const answer of answers) {
        const text = await answer.text();
        expect(answer.status).toBe(200);
        for (const hidden of [CANARY, '77031', 'internalNotes', 'editorRank', 'accessCode'])
          expect(text).not.toContain(hidden);
      }
    },
  );

  it.each(['internalNotes', 'editorRank', 'accessCode'])('%s cannot be asked for in any way', async (name) => {
    const searches = [
      `fields=${name}`,
      `sort=${name}`,
      `sort[${name}]=desc`,
      `filters[${name}]=1`,
      `filters[${name}][$null]=true`,
      `filters[${name}][$startsWith]=a`,
      `filters[$or][0][${name}][$gt]=0&filters[$or][1][title]=a`,
      `filters[$not][${name}][$contains]=a`,
    ];
    for (const search of searches)
      expect(await errorOf(client.get(`/api/articles?${search}`))).toMatchObject({
        status: 400,
        message: `Invalid key ${name}`,
      });
  });

  it.each(['internalNotes', 'accessCode'])('%s cannot be populated', async (name) => {
    expect(await errorOf(client.get(`/api/articles?populate=${name}`))).toMatchObject({ status: 400 });
  });

  it.each([CANARY, '77031', 'notes'])('is not searched: _q=%s', async (text) => {
    expect(await totalOf(client.get(`/api/articles?_q=${text}`))).toBe(0);
  });

  it('of an update is written and not shown', async () => {
    const updated = await client.update(`/api/articles/${article}`, { internalNotes: `new ${CANARY}` });
    expect(updated.status).toBe(200);
    expect(await updated.text()).not.toContain(CANARY);
    for (const row of await stored()) expect(row.internal_notes).toBe(`new ${CANARY}`);
  });
});

describe('a refusal', () => {
  it('of a draft that cannot be published shows no private value of it', async () => {
    const draft = await documentOf(client.create('/api/articles?status=draft', { title: 'ab', ...HIDDEN }));
    const refused = await client.update(`/api/articles/${draft.documentId}`, {});
    expect(refused.status).toBe(400);
    expect(await refused.text()).not.toMatch(/canary7f3a|77031/);
  });

  it('of a new locale shows no private value that it takes over', async () => {
    const refused = await client.update(`/api/articles/${article}?locale=fr`, { title: 'Neuf', cover: 999 });
    expect(refused.status).toBe(400);
    expect(await refused.text()).not.toMatch(/canary7f3a|77031/);
  });
});

describe('a password', () => {
  const HASH = /^scrypt\$\d+\$\d+\$\d+\$[A-Za-z0-9+/]+=*\$[A-Za-z0-9+/]+=*$/;

  it('is stored as a salted hash in draft and published version', async () => {
    const [draft, live] = await stored();
    expect(draft?.access_code).toMatch(HASH);
    expect(live?.access_code).toBe(draft?.access_code);
    const other = await documentOf(client.create('/api/authors', { name: 'Amy', pin: HIDDEN.accessCode }));
    const row = env.DB.prepare('select "pin" from "authors" where "document_id" = ?').bind(other.documentId);
    const { pin } = (await row.first<{ pin: string }>()) ?? { pin: '' };
    expect(pin).toMatch(HASH);
    expect(pin).not.toBe(draft?.access_code);
  });

  it('stays what it was when an update does not name it', async () => {
    const before = (await stored())[0]?.access_code;
    await documentOf(client.update(`/api/articles/${article}`, { subtitle: 'Another' }));
    for (const row of await stored()) expect(row.access_code).toBe(before);
  });

  it('can be cleared', async () => {
    const { documentId } = await documentOf(client.create('/api/authors', { name: 'Bob', pin: 'secret' }));
    await client.update(`/api/authors/${documentId}`, { pin: null });
    const row = env.DB.prepare('select "pin" from "authors" where "document_id" = ?').bind(documentId);
    expect(await row.first()).toEqual({ pin: null });
  });

  it('is nowhere in the database in clear', async () => {
    const { results } = await env.DB.prepare('select * from "articles"').all();
    const shown = results.map(({ internal_notes: _, ...row }) => JSON.stringify(row)).join('\n');
    expect(shown).not.toContain(CANARY);
  });
});

describe('a token', () => {
  it('is not stored in clear', async () => {
    await createToken('a-token-that-is-secret', 'full-access');
    const { results } = await env.DB.prepare('select "access_key" from "strapi_api_tokens"').all<{
      access_key: string;
    }>();
    for (const { access_key: key } of results) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});
