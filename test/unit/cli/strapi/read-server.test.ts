import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ArchiveParts } from '../../../support/archive.ts';
import { archiveOf } from '../../../support/archive.ts';
import { type FakeStrapi, fakeStrapi } from '../../../support/fake-strapi.ts';
import { contentOf, importBytes, openTestStorage, type TestStorage } from '../import/imported.ts';
import { MAGAZINE } from '../import/magazine.ts';
import { read, TOKEN } from './read.ts';

let storage: TestStorage;
let strapi: FakeStrapi;

/** Without what no answer tells, and what no type has: a link or a file that is not named is not asked for. */
const TOLD: ArchiveParts = { ...MAGAZINE, entities: withoutUntold(MAGAZINE.entities) };

function withoutUntold(entities: readonly object[] = []): readonly object[] {
  return entities.map((entity) => {
    const { type, data } = entity as { type: string; data: Record<string, unknown> };
    const { password: _, code: _1, ...rest } = data;
    if (type === 'plugin::users-permissions.user') return { ...entity, data: rest };
    if (type === 'plugin::upload.file') return { ...entity, data: { ...rest, folderPath: '/' } };
    return { ...entity, data: rest };
  });
}

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
});
afterEach(() => strapi.close());

/** Ids of components are given anew, and places without gaps. */
async function comparable(): Promise<object> {
  const content = Object.entries(await contentOf(storage));
  const without = (row: string) => row.replaceAll(/\\"id\\":\d+/g, 'id').replaceAll(/"position":\d+/g, 'position');
  return Object.fromEntries(content.map(([name, rows]) => [name, rows.map(without).sort()]));
}

const orders = () =>
  storage.rows(
    'select "source_document_id" as "source", "target_document_id" as "target" from "articles_tags_lnk" order by "status", "source", "position"',
  );

describe('a running Strapi', () => {
  it('gives the same content as its archive', async () => {
    await importBytes(await archiveOf(TOLD), storage);
    const expected = [await comparable(), await orders()];
    await storage.clear();
    const { bytes } = await read(strapi);
    const { taken, settings } = await importBytes(bytes, storage);
    expect([await comparable(), await orders()]).toEqual(expected);
    expect(taken).toMatchObject({ rows: 9, files: 2 });
    expect(settings.i18n.locales.map(({ code, isDefault }) => [code, isDefault])).toEqual([
      ['en', false],
      ['de', true],
    ]);
    expect(settings.roles.public).toEqual(['api::article.article.find']);
  });

  it('says what its API does not tell', async () => {
    const remarks = (await read(strapi)).remarks.join('\n');
    expect(remarks).toMatch(/api::article\.article: private attributes and passwords.*: code/);
    expect(remarks).toMatch(/passwords of users/);
    expect(remarks).toMatch(/folders of the media library/);
  });

  it('gets the token for its API alone', async () => {
    await read(strapi);
    const files = strapi.requests.filter(({ path }) => path.startsWith('/uploads/'));
    expect(files.map(({ token }) => token)).toEqual([undefined, undefined]);
    const others = strapi.requests.filter(({ path }) => path.startsWith('/api/'));
    expect(others.length).toBeGreaterThan(10);
    expect(new Set(others.map(({ token }) => token))).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it('is asked for documents in pages, each behind the one before', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({
      type: 'api::tag.tag',
      id: 1000 + index * 3,
      data: { documentId: `many${index}`, name: `tag ${index}`, publishedAt: '2026-01-01T00:00:00.000Z', locale: null },
    }));
    strapi.content = { ...MAGAZINE, entities: [...(MAGAZINE.entities ?? []), ...rows] };
    await importBytes((await read(strapi)).bytes, storage);
    expect(await storage.rows('select count(*) as "count" from "tags"')).toEqual([{ count: 253 }]);
    const pages = strapi.requests.filter(({ path }) => path.startsWith('/api/tags?filters[id][$gt]'));
    // Published and as it shows drafts: three pages each, and the end once.
    expect(pages.length).toBe(7);
  });
});
