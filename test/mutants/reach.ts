/**
 * @module Which files run a module, by the paths that files name: in `import`, `import()`, and of scripts that they spawn.
 * A binding is no path: worker tests do not reach what answers `TEST_SCHEMAS` in Node.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TYPES = /^(?:import|export) type [^;]*;/gm;
const PATH = /['"`]([^'"`\s]+\.(?:ts|mjs|cjs))['"`]/g;

/** Returns the modules under a root, each with the files that name it, from their folder or from the root. */
export function readImporters(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of globSync('{src,cli,testing,test}/**/*.{ts,mjs,cjs}', { cwd: root })) {
    const named = readFileSync(join(root, file), 'utf8').replaceAll(TYPES, '').matchAll(PATH);
    const paths = [...named].flatMap(([, path = '']) => [join(root, dirname(file), path), join(root, path)]);
    for (const module of paths.filter((path) => existsSync(path)).map((path) => relative(root, path)))
      importers.set(module, (importers.get(module) ?? new Set()).add(file));
  }
  return importers;
}

/** Returns a module and the files that reach it. */
export function filesReaching(module: string, importers: ReturnType<typeof readImporters>): ReadonlySet<string> {
  const reached = new Set([module]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
