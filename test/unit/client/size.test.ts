/**
 * @module The client stays small: what a site installs, gzipped.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

const ENTRY = join(import.meta.dirname, '../../../client/index.ts');

it('is at most 4 KB, and imports no package', () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [ENTRY],
    ...{ bundle: true, format: 'esm', minifySyntax: true, minifyWhitespace: true, write: false, metafile: true },
  });
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('client/'))).toEqual([]);
  expect(outputFiles.flatMap(({ path }) => path)).toHaveLength(1);
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(4 * 1024);
  expect(outputFiles[0]?.contents.length).toBeGreaterThan(3_000);
});
