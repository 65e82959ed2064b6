import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { planImport } from '../../../../src/cli/import/import.ts';
import { readMarkers } from '../../../../src/cli/import/marker.ts';
import { archiveOf } from '../../../support/archive.ts';
import { type FakeStrapi, fakeStrapi } from '../../../support/fake-strapi.ts';
import { contentOf, importBytes, openTestStorage, type TestStorage } from '../import/imported.ts';
import { MAGAZINE, tag } from '../import/magazine.ts';
import { read } from './read.ts';

const SINCE = '2026-05-01T00:00:00.000Z';
const LATER = '2026-06-01T00:00:00.000Z';

interface Row {
  readonly type: string;
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

let storage: TestStorage;
let strapi: FakeStrapi;

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  storage = await openTestStorage();
  await storage.prepare((await importBytes(await archiveOf(MAGAZINE))).registry);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await storage.close();
});
beforeEach(async () => {
  await storage.clear();
  strapi = await fakeStrapi(structuredClone(MAGAZINE));
  await importBytes(await archiveOf(MAGAZINE), storage);
});
afterEach(() => strapi.close());

const rows = (): readonly Row[] => (strapi.content.entities ?? []) as readonly Row[];

/** Saves rows in the server, as somebody would today. */
function save(type: string, ids: readonly number[], data: object = {}): void {
  const entities = rows().map((row) =>
    row.type === type && ids.includes(row.id) ? { ...row, data: { ...row.data, ...data, updatedAt: LATER } } : row,
  );
  strapi.content = { ...strapi.content, entities };
}

function remove(type: string, ids: readonly number[]): void {
  const entities = rows().filter((row) => row.type !== type || !ids.includes(row.id));
  strapi.content = { ...strapi.content, entities };
}

type Linked = { readonly left: { ref: number; pos?: number }; readonly right: { ref: number; pos?: number } };

/** The links between articles and tags: of which article, to which tag, at which place of each. */
function relink(links: readonly (readonly [article: number, pos: number, tag: number, inverse: number])[]): void {
  const isTag = (link: object) => JSON.stringify(link).includes('"field":"tags"');
  const others = (strapi.content.links ?? []).filter((link) => !isTag(link)) as Linked[];
  const own = links.map(([article, pos, ref, inverse]) => ({
    ...{ kind: 'relation.basic', relation: 'manyToMany' },
    left: { type: 'api::article.article', field: 'tags', ref: article, pos },
    right: { type: 'api::tag.tag', field: 'articles', ref, pos: inverse },
  }));
  strapi.content = { ...strapi.content, links: [...others, ...own] };
}

const follow = async (deletions = false) => {
  const { bytes } = await read(strapi, { since: SINCE, deletions, config: false });
  return importBytes(bytes, storage, { mode: 'merge' });
};

const tagsOf = async (source: string, status = 'draft') =>
  (
    await storage.rows(
      `select "target_document_id" as "tag" from "articles_tags_lnk" where "source_document_id" = '${source}' and "status" = '${status}' order by "position"`,
    )
  ).map((row) => row.tag);
const articlesOf = async (target: string, status = 'draft') =>
  (
    await storage.rows(
      `select "source_document_id" || ' ' || "source_locale" as "article" from "articles_tags_lnk" where "target_document_id" = '${target}' and "status" = '${status}' order by "inverse_position"`,
    )
  ).map((row) => row.article);

describe('what changed since a time', () => {
  it('is refused where there is no content that could be brought up to date', () => {
    const survey = { fingerprint: 'a', metadata: { source: { address: 'x', whole: false, since: SINCE } } };
    const before = { filled: [], markers: [], migrations: new Set<string>() };
    expect(() => planImport(before, survey, { backup: true })).toThrow(/--since: the database has no content yet/);
    expect(planImport({ ...before, filled: ['tags'] }, survey, { backup: true })).toMatchObject({ mode: 'merge' });
  });

  it('is nothing where nothing was saved', async () => {
    const before = await contentOf(storage);
    expect((await follow()).taken).toMatchObject({ rows: 0, links: 0, files: 0 });
    expect(await contentOf(storage)).toEqual(before);
  });

  it('is taken with its values, and leaves what the API does not tell as it is', async () => {
    save('api::article.article', [11], { title: 'Changed' });
    save('plugin::users-permissions.user', [5], { email: 'new@example.test' });
    expect((await follow()).taken.rows).toBe(2);
    expect(
      await storage.rows(
        'select "title", "code" from "articles" where "document_id" = \'one\' and "locale" = \'en\' order by "published_at" is not null',
      ),
    ).toEqual([
      { title: 'Changed', code: '$2a$10$hash' },
      { title: expect.stringContaining('It’s'), code: '$2a$10$hash' },
    ]);
    expect(await storage.rows('select "email", "email_key", "password" from "up_users"')).toEqual([
      { email: 'new@example.test', email_key: 'new@example.test', password: '$2a$10$anna' },
    ]);
    expect(await storage.rows('select 1 from "up_users_role_lnk"')).toHaveLength(1);
  });

  it('keeps links to what did not change in their place on its side, and puts new ones last there', async () => {
    const others = [
      [14, 1, 24, 1],
      [13, 1, 24, 2],
      [14, 2, 22, 1],
    ] as const;
    relink([...others, [11, 1, 24, 3]]);
    await storage.clear();
    await importBytes(await archiveOf(strapi.content), storage);
    relink([...others, [11, 1, 22, 2], [11, 2, 24, 3]]);
    save('api::article.article', [11]);
    await follow();
    expect(await tagsOf('one')).toEqual(expect.arrayContaining(['tagblue', 'taggreen']));
    expect(await articlesOf('taggreen')).toEqual(['two en', 'one de', 'one en']);
    expect(await articlesOf('tagblue')).toEqual(['two en', 'one en']);
  });

  it('brings links that were changed from their other side', async () => {
    relink([
      [14, 1, 22, 1],
      [11, 1, 22, 2],
      [12, 1, 21, 1],
    ]);
    save('api::tag.tag', [21, 22]);
    await follow();
    expect(await articlesOf('tagred')).toEqual([]);
    expect(await articlesOf('tagred', 'published')).toEqual(['one en']);
    expect(await articlesOf('tagblue')).toEqual(['two en', 'one en']);
    expect(await tagsOf('two')).toEqual(['tagblue']);
  });

  it('leaves what was deleted there, unless deletions are asked for', async () => {
    remove('api::article.article', [12, 13]);
    remove('api::tag.tag', [21]);
    await follow();
    expect(await storage.rows('select 1 from "articles"')).toHaveLength(4);
    await follow(true);
    expect(
      await storage.rows('select "document_id" as "id", "locale", "published_at" is null as "draft" from "articles"'),
    ).toEqual([
      { id: 'one', locale: 'en', draft: 1 },
      { id: 'two', locale: 'en', draft: 1 },
    ]);
    expect(await storage.rows('select "document_id" as "id" from "tags" order by "id"')).toEqual([
      { id: 'tagblue' },
      { id: 'taggreen' },
    ]);
    expect(await tagsOf('one')).toEqual(['tagblue']);
    expect(await tagsOf('one', 'published')).toEqual([]);
    expect(await storage.rows('select 1 from "up_users"')).toHaveLength(1);
    expect(await readMarkers(storage.db)).toMatchObject([{ finishedAt: expect.any(Number) }, {}, {}]);
  });

  it('never deletes most of a database', async () => {
    const many = Array.from({ length: 60 }, (_, index) => tag(500 + index, `n${index}`));
    await importBytes(await archiveOf({ ...MAGAZINE, entities: [...(MAGAZINE.entities ?? []), ...many] }), storage, {
      mode: 'merge',
    });
    const before = await contentOf(storage);
    await expect(follow(true)).rejects.toThrow(/--deletions would delete 60 of 68 versions/);
    expect(await contentOf(storage)).toEqual(before);
  });
});
