/**
 * @module What a mutant has in the place of the code, and the order of a sample.
 */
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { marksIn, replaceIn } from '../../mutants/marks.ts';
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

/** Functions of each form, and of them those that run. */
const FUNCTIONS = `
const double = (n) => n * 2;
const pair = (n) => (m) => ({ n, m });
function* twice(n) { yield n; yield double(n); }
class Sum { constructor(n) { this.value = n; } get next() { return this.value + 1; } never() { return 0; } }
return [double(2), pair(1)(2), [...twice(4)], new Sum(1).next];
`;
const EXECUTED = [
  ' n * 2',
  ' (m) => ({ n, m })',
  ' ({ n, m })',
  ' { yield n',
  ' { this.value = n',
  ' { return this.value + 1',
];
const files = {
  ...Object.fromEntries(CASES.map(([, source], index) => [`/${index}.ts`, source])),
  '/functions.ts': FUNCTIONS,
};
const api = new API({ cwd: '/', fs: createVirtualFileSystem({ ...files, '/tsconfig.json': '{}' }) });
const program = api.updateSnapshot({ openProjects: ['/tsconfig.json'] }).getProject('/tsconfig.json')?.program;
afterAll(() => {
  api.close();
  vi.unstubAllGlobals();
});

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

describe('marks', () => {
  it('say which functions are executed, and change no result', () => {
    const file = program?.getSourceFile('/functions.ts');
    const executed = new Set<string>();
    vi.stubGlobal('edgewiseExecuted', executed);
    const marked = file ? replaceIn(FUNCTIONS, marksIn('', file)) : '';
    expect(new Function(marked)()).toEqual(new Function(FUNCTIONS)());
    const bodies = [...executed].map((mark) => FUNCTIONS.slice(Number(mark.slice(1))).split(';')[0]);
    expect(new Set(bodies)).toEqual(new Set(EXECUTED));
  });
});
