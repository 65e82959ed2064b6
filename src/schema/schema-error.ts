/**
 * @module Problems of the schema files.
 */
import { plural } from '../common/plural.ts';

/** What was expected at a key of a file. */
export interface SchemaProblem {
  readonly file: string;
  readonly key: string;
  readonly expected: string;
}

/** Where `indexes` and `search` are declared. */
export const SETTINGS_FILE = 'edgewise.config.ts';

/** All problems of the schema files. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[];
  constructor(problems: readonly SchemaProblem[]) {
    const lines = problems.map(({ file, key, expected }) => `  ${file}: ${key}: ${expected}`);
    const files = problems.map(({ file }) => (file === SETTINGS_FILE ? file : 'content-types/'));
    const count = `${problems.length} ${plural(problems.length, 'problem')}`;
    super(`${count} in ${[...new Set(files)].join(' and ')}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
