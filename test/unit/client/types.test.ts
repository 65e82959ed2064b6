/**
 * @module The types of the client, judged by the compiler of the project; test/clients/ has another version.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileWith } from '../../support/type-compiler.ts';
import { caseFiles, typesOfCases } from './type-cases.ts';

const TSC = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
const { results, accepted, rejected } = caseFiles;

let complaints: readonly string[];
beforeAll(() => {
  const files = Object.fromEntries(Object.values(caseFiles).map(({ name, text }) => [name, text]));
  complaints = compileWith(TSC, { ...files, 'content.d.ts': typesOfCases() }).split(/\n(?! )/);
});

/** What the compiler says about a case. */
const about = ({ name, before }: (typeof caseFiles)['results'], index: number): string | undefined =>
  complaints.find((line) => line.startsWith(`${name}(${before + index + 1},`));

describe('the types of the client', () => {
  it.each(results.cases.map((query, index) => [query, index] as const))('follow %s', (_, index) => {
    expect(about(results, index)).toBeUndefined();
  });

  it.each(accepted.cases.map((text, index) => [text, index] as const))('accept %s', (_, index) => {
    expect(about(accepted, index)).toBeUndefined();
  });

  it.each(rejected.cases.map((text, index) => [text, index] as const))('reject %s', (_, index) => {
    expect(about(rejected, index)).toBeDefined();
  });

  it('are judged by a compiler that finds nothing else', () => {
    const known = Object.values(caseFiles).map(({ name }) => name);
    expect(complaints.filter((line) => line !== '' && !known.some((name) => line.startsWith(name)))).toEqual([]);
  });
});
