import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../src/cli/import/archive-file.ts';
import { readEntries } from '../../../../src/cli/import/entries.ts';
import type { SourceNote } from '../../../../src/cli/import/records.ts';
import { type FakeStrapi, fakeStrapi } from '../../../support/fake-strapi.ts';
import { fileOf } from '../import/imported.ts';
import { MAGAZINE } from '../import/magazine.ts';
import { read } from './read.ts';

let strapi: FakeStrapi;

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => vi.restoreAllMocks());
beforeEach(async () => {
  strapi = await fakeStrapi(structuredClone(MAGAZINE));
});
afterEach(() => strapi.close());

async function textOf(bytes: Buffer, part: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const { name, bytes: own } of readEntries(openArchive(fileOf(bytes), undefined)))
    if (name.startsWith(part)) for await (const chunk of own) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function sourceOf(bytes: Buffer): Promise<SourceNote> {
  return (JSON.parse(await textOf(bytes, 'metadata.json')) as { source: SourceNote }).source;
}

/** Saves the tag of this id at a time of the server. */
function save(id: number, updatedAt: string): void {
  const entities = (strapi.content.entities ?? []) as { type: string; id: number; data: object }[];
  strapi.content = {
    ...strapi.content,
    entities: entities.map((row) =>
      row.type === 'api::tag.tag' && row.id === id ? { ...row, data: { ...row.data, updatedAt } } : row,
    ),
  };
}

describe('the time from which on changes have to be asked for', () => {
  it.each([
    ['is far behind', 'Mon, 06 Jan 2020 12:00:00 GMT', '2020-01-06T11:59:00.000Z'],
    ['is far ahead', 'Wed, 06 Jan 2100 12:00:00 GMT', '2100-01-06T11:59:00.000Z'],
  ])('is that of the server, less a minute, where its clock %s', async (_, date, next) => {
    strapi.date = date;
    expect(await sourceOf((await read(strapi)).bytes)).toMatchObject({ next });
  });

  it('is that of the earliest answer: what is saved while it is read is asked for again', async () => {
    let minute = 10;
    strapi.intercept = (_url, _, response) => {
      response.setHeader('date', `Mon, 06 Jan 2020 12:${minute} GMT`);
      minute = Math.min(minute + 1, 59);
      return false;
    };
    expect(await sourceOf((await read(strapi)).bytes)).toMatchObject({ next: '2020-01-06T12:09:00.000Z' });
  });

  it('skips no edit that a server with another clock notes right after it was read', async () => {
    strapi.date = 'Mon, 06 Jan 2020 12:00:00 GMT';
    const { next } = await sourceOf((await read(strapi)).bytes);
    for (const id of [22, 24]) save(id, '2019-01-01T00:00:00.000Z');
    save(21, '2020-01-06T11:59:58.000Z');
    const { bytes } = await read(strapi, { since: next ?? '' });
    expect(await textOf(bytes, 'entities/')).toContain('"tagred"');
    expect(await textOf(bytes, 'entities/')).not.toContain('"tagblue"');
  });

  it('is not made up where the server does not say what time it is', async () => {
    strapi.date = undefined;
    const { bytes, remarks } = await read(strapi);
    expect(await sourceOf(bytes)).not.toHaveProperty('next');
    expect(remarks.join('\n')).toMatch(/does not say what time it is \(no Date in its answers\)/);
  });

  it('is refused where the server has not come to it yet', async () => {
    strapi.date = 'Mon, 06 Jan 2020 12:00:00 GMT';
    await expect(read(strapi, { since: '2026-05-01T00:00:00.000Z' })).rejects.toThrow(
      /--since: 2026-05-01T00:00:00\.000Z is still to come; at .* it is 2020-01-06T12:00:00\.000Z/,
    );
  });
});
