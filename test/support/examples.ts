/**
 * @module The files that docs/clients.md has its readers write, by their paths.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../docs/clients.md');

/** Returns the text of each block that names its file. */
export const exampleFiles = (): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(PAGE, 'utf8').matchAll(/```tsx?\n\/\/ file: (\S+)\n(.*?)```/gs)].map(
      ([, path = '', text = '']) => [path, text],
    ),
  );
