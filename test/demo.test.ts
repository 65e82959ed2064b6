/**
 * @module The demo of the tests is the one that a new clone serves. A project may change its own at any time, so this is
 * compared where `.ci/run` says that nobody has, and where the demo was not replaced.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEMO } from './support/demo.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = ['content-types/**/*.json', 'demo/**/*.*', 'drizzle/**/*.*', 'edgewise.config.ts'];

const filesOf = (root: string): readonly string[] => globSync(FILES, { cwd: root }).toSorted();
const textOf = (root: string, path: string): string => readFileSync(join(root, path), 'latin1');
const changed = (names: readonly string[]) => names.filter((name) => textOf(DEMO, name) !== textOf(ROOT, name));

const names = filesOf(DEMO);
const isDemo = process.env.DEMO_UNCHANGED === '1' && filesOf(ROOT).join() === names.join();

describe('the demo', () => {
  it.runIf(isDemo)('of the tests is that of a new clone', () => {
    expect(changed(names)).toEqual([]);
  });

  it('has files', () => {
    expect(names.length).toBeGreaterThan(15);
  });
});
