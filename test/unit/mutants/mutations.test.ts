/**
 * @module What a mutant has in the place of the code, and the order of a sample.
 */
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { editsIn } from '../../mutants/mutations.ts';
import { byTurns } from '../../mutants/sample.ts';

/** Kind, source, and what the mutants of that kind have in its place. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['guard', 'if (!found) throw error;', ['if (false) throw error;']],
  ['condition', 'if (isNew) insert();', ['if (true) insert();']],
  ['condition', 'const value = a && b;', ['const value = a;', 'const value = b;']],
  ['condition', 'const value = a ? b : c;', ['const value = b;', 'const value = c;']],
  ['comparison', 'const value = a === b;', ['const value = a !== b;']],
  ['comparison', 'const value = a < b;', ['const value = a <= b;']],
  ['statement', 'const batch = [guard, insert];', ['const batch = [...[], insert];', 'const batch = [guard, ...[]];']],
  ['statement', 'await run(batch);', [';']],
  ['member', "const KINDS = ['one', 'two'];", ["const KINDS = [...[], 'two'];", "const KINDS = ['one', ...[]];"]],
  [
    'member',
    'switch (kind) { case 1: one(); break; default: two(); }',
    ['switch (kind) { case 1: ; break; default: two(); }', 'switch (kind) { case 1: one(); ; default: two(); }'],
  ],
  ['await', 'return await read();', ['return read();']],
  ['optional', 'const value = limit ?? 25;', ['const value = 25;']],
  ['optional', 'const value = user?.id;', ['const value = undefined;']],
  ['optional', 'const value = { ...rest, id };', ['const value = { ...{}, id };']],
];

const files = Object.fromEntries(CASES.map(([, source], index) => [`/${index}.ts`, source]));
const api = new API({ cwd: '/', fs: createVirtualFileSystem({ ...files, '/tsconfig.json': '{}' }) });
const program = api.updateSnapshot({ openProjects: ['/tsconfig.json'] }).getProject('/tsconfig.json')?.program;
afterAll(() => api.close());

describe('a mutant', () => {
  it.each(CASES.map((row, index) => [...row, index] as const))(
    'of kind %s is made of `%s`',
    (kind, source, mutants, index) => {
      const file = program?.getSourceFile(`/${index}.ts`);
      const edits = file ? editsIn(file).filter((edit) => edit.kind === kind) : [];
      expect(edits.map(({ start, end, to }) => source.slice(0, start) + to + source.slice(end))).toEqual(mutants);
    },
  );

  it('is one of each room before the second of any', () => {
    const mutants = ['plan 1', 'plan 2', 'plan 3', 'sql 1', 'http 1', 'sql 2'];
    expect(byTurns(mutants, (mutant) => mutant.replace(/ .*/, ''))).toEqual([
      'plan 1',
      'sql 1',
      'http 1',
      'plan 2',
      'sql 2',
      'plan 3',
    ]);
  });
});
