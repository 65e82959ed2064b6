/**
 * @module The types of `edgewise-client` with the oldest TypeScript that they are for, and what they cost there and with that of the project.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileWith } from '../support/type-compiler.ts';
import { largeProgram, typesOfLargeModel } from '../unit/client/large-model.ts';
import { caseFiles, typesOfCases } from '../unit/client/type-cases.ts';

const OLDEST = join(import.meta.dirname, 'node_modules/typescript-5.9/bin/tsc');
const OWN = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Instantiations of types in 300 queries and writes of 60 content types with 80 attributes: 725,000 and 698,000. */
const BUDGET = 800_000;

describe('the types of the client, with TypeScript 5.9', () => {
  const files = Object.fromEntries(Object.values(caseFiles).map(({ name, text }) => [name, text]));
  const complaints = compileWith(OLDEST, { ...files, 'content.d.ts': typesOfCases() }).split(/\n(?! )/);
  const lines = new Set(complaints.map((line) => line.split(',')[0]));

  it.each(['results', 'accepted'] as const)('compile all of what they %s', (name) => {
    expect(complaints.filter((line) => line.startsWith(caseFiles[name].name))).toEqual([]);
  });

  it('reject each call that is wrong', () => {
    const { name, before, cases } = caseFiles.rejected;
    expect(cases.filter((_, index) => !lines.has(`${name}(${before + index + 1}`))).toEqual([]);
  });
});

describe('the cost of the types', () => {
  it.each([
    ['TypeScript 5.9', OLDEST],
    ['the TypeScript of the project', OWN],
  ])('is bounded with %s, for 60 content types of 80 attributes', (_, compiler) => {
    const files = { 'content.d.ts': typesOfLargeModel(), 'program.ts': largeProgram() };
    const printed = compileWith(compiler, files, ['--extendedDiagnostics']);
    expect(printed).not.toContain('error');
    const count = Number(/^Instantiations:\s+(\d+)$/m.exec(printed)?.[1]);
    expect(count).toBeGreaterThan(100_000);
    expect(count).toBeLessThanOrEqual(BUDGET);
  });
});
