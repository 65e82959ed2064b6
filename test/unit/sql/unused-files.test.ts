/**
 * @module How many statements the search for unused files takes, and how many ids each of them returns.
 */
import { describe, expect, it } from 'vitest';
import type { Compiled } from '../../../src/content/sql/compiled.ts';
import { unusedFiles } from '../../../src/features/files/sql/unused-files.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const modelOf = (types: number, attributes: number) =>
  registryOf(
    Array.from({ length: types }, (_, index) =>
      contentType(
        `kind${index}`,
        Object.fromEntries(Array.from({ length: attributes }, (_, each) => [`file${each}`, { type: 'media' }])),
      ),
    ),
  );

/**
 * A library with the files 1 to `files`, none of which the first part of the model uses, and the others those above `used`.
 */
function libraryOf(files: number, used: number) {
  const reads: { readonly statements: number; readonly ids: number }[] = [];
  const all = Array.from({ length: files }, (_, index) => files - index);
  const read = async <T>({ statements, decode }: Compiled<T>): Promise<T> => {
    const results = statements.map(({ sql, params }) => {
      const numbers = params.flatMap((param) => (typeof param === 'number' ? [param] : []));
      const [before = 0, count = 0] = numbers;
      const list = params.find((param) => typeof param === 'string' && param.startsWith('['));
      const ids = sql.includes(' limit ')
        ? all.filter((id) => id < before).slice(0, count)
        : (JSON.parse(String(list)) as number[]).filter((id) => id > used);
      return ids.map((id) => ({ id }));
    });
    reads.push({ statements: statements.length, ids: Math.max(...results.map(({ length }) => length)) });
    return decode(results);
  };
  return { reads, read };
}

const LIMIT = 1_000;

describe('unused files', () => {
  it('are found by a handful of statements, which return a bounded number of ids, in 300 types of three media', async () => {
    const { reads, read } = libraryOf(25_000, 24_000);
    const found = await unusedFiles(modelOf(300, 3), LIMIT, read);
    expect([found[0], found.length]).toEqual([24_000, LIMIT]);
    expect(reads.length).toBeLessThanOrEqual(2);
    for (const { statements, ids } of reads) {
      expect(statements).toBeLessThanOrEqual(4);
      expect(ids).toBeLessThanOrEqual(10_000);
    }
  });

  it.each([
    [modelOf(1, 1), 0, 0, [0]],
    [modelOf(1, 1), 999, 999, [999]],
    [modelOf(1, 1), 1_001, 1_001, [1_000]],
    [modelOf(300, 3), 0, 0, [0]],
    [modelOf(300, 3), 9_999, 9, [9_999, 9_990]],
    [modelOf(300, 3), 10_000, 9, [10_000, 9_991, 0]],
    [modelOf(300, 3), 10_000, 1_000, [10_000, 9_000]],
  ])('are read no further than needed: %#', async (model, files, used, ids) => {
    const { reads, read } = libraryOf(files, used);
    const found = await unusedFiles(model, LIMIT, read);
    expect(reads.map((each) => each.ids)).toEqual(ids);
    expect(found.length).toBeLessThanOrEqual(LIMIT);
  });

  it('are found behind more used ones than one read examines', async () => {
    const { reads, read } = libraryOf(35_000, 5);
    expect(await unusedFiles(modelOf(300, 3), LIMIT, read)).toEqual([5, 4, 3, 2, 1]);
    expect(reads).toHaveLength(8);
  });

  it('are a 400 that names the limit, in a model or a library that one invocation cannot read', async () => {
    const rejected = { problem: { details: { param: 'unused', limit: 'statements' } } };
    const large = libraryOf(1, 1);
    await expect(unusedFiles(modelOf(300, 20), LIMIT, large.read)).rejects.toMatchObject(rejected);
    expect(large.reads).toEqual([]);
    for (const library of [libraryOf(300_000, 0), libraryOf(200_005, 5)])
      await expect(unusedFiles(modelOf(300, 3), LIMIT, library.read)).rejects.toMatchObject(rejected);
  });
});
