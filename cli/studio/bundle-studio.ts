/**
 * @module Bundles Studio in a clone of Edgewise: `studio/` → `dist/studio/`. The package has the bundle alone.
 */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { BuildFailure, BuildResult, Plugin } from 'esbuild';
import { UserError } from '../core/terminal.ts';
import { fillFolder } from './fill-folder.ts';

/** The time of the last change, in milliseconds since 1970. A folder changes with the names in it. */
function lastChange(clone: string): number {
  const sources = join(clone, 'studio');
  const paths = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((path) => join(sources, path));
  const times = [sources, join(clone, 'package-lock.json'), ...paths].map((path) => statSync(path).mtimeMs);
  return Math.round(Math.max(...times));
}

/** Lets each module that is loaded later import the screens: so what they share with the start is one file, not twenty. */
const WITH_SCREENS: Plugin = {
  name: 'with-screens',
  setup({ initialOptions, onResolve, onLoad }) {
    const screens = join(initialOptions.absWorkingDir ?? '', 'studio/screens.tsx');
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const isLater = kind === 'dynamic-import' && join(resolveDir, path) !== screens;
      return isLater ? { path: join(resolveDir, path), namespace: 'later' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: [screens, path].map((each) => `export * from ${JSON.stringify(each)};`).join('\n'),
      resolveDir: dirname(path),
    }));
  },
};

/** @throws UserError with file, line and column of each error. */
async function bundle(clone: string) {
  const { build } = await import('esbuild');
  try {
    return await build({
      absWorkingDir: clone,
      entryPoints: ['studio/main.ts'],
      outdir: 'dist/studio',
      entryNames: 'assets/[name]-[hash]',
      chunkNames: 'assets/[name]-[hash]',
      assetNames: 'assets/[name]-[hash]',
      bundle: true,
      plugins: [WITH_SCREENS],
      format: 'esm',
      splitting: true,
      minify: true,
      target: 'es2022',
      jsx: 'automatic',
      // Why: src/content/request/side-channel.cjs
      alias: { 'side-channel': './src/content/request/side-channel.cjs' },
      define: { 'process.env.NODE_ENV': '"production"' },
      legalComments: 'external',
      logLevel: 'silent',
      metafile: true,
      write: false,
    });
  } catch (error) {
    const lines = (error as BuildFailure).errors.map(({ location, text }) =>
      location ? `  ${location.file}:${location.line}:${location.column + 1}: ${text}` : `  ${text}`,
    );
    throw new UserError('Studio could not be bundled:', ...lines);
  }
}

type Outputs = NonNullable<BuildResult['metafile']>['outputs'];

/** Returns a script, and those that it imports at its start, directly or through others. */
function withImports(path: string, outputs: Outputs): readonly string[] {
  const found = new Set<string>([path]);
  // The loop reaches the scripts that it adds.
  for (const each of found)
    for (const { kind, path: next } of outputs[each]?.imports ?? []) if (kind === 'import-statement') found.add(next);
  return [...found];
}

/** Returns `studio/index.html` with the names of the bundle. The browser loads all scripts of the start at once. */
function pageOf(outputs: Outputs, clone: string): string {
  const scriptOf = (entry: string) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry) ?? '';
  const main = scriptOf('studio/main.ts');
  const [, ...others] = withImports(main, outputs);
  const scripts = new Set([...others, ...withImports(scriptOf('studio/screens.tsx'), outputs)]);
  const url = (path: string) => `./${path.replace('dist/studio/', '')}`;
  const preloads = [...scripts].map((path) => `    <link rel="modulepreload" href="${url(path)}" />\n`);
  return readFileSync(join(clone, 'studio/index.html'), 'utf8')
    .replace('./main.css', url(outputs[main]?.cssBundle ?? ''))
    .replace('./main.js', url(main))
    .replace('  </head>', `${preloads.join('')}  </head>`);
}

/** Writes the bundle if `studio/` or its packages have changed. @throws UserError for code that cannot be bundled. */
export async function bundleStudio(clone: string): Promise<void> {
  const folder = join(clone, 'dist/studio');
  const page = join(folder, 'index.html');
  const changed = lastChange(clone);
  if (existsSync(page) && Math.round(statSync(page).mtimeMs) === changed) return;
  const { outputFiles, metafile } = await bundle(clone);
  const nameOf = (path: string): string => relative(folder, path).split(sep).join('/');
  const files = outputFiles.map(({ path, contents }) => [nameOf(path), contents] as const);
  fillFolder(folder, [...files, ['index.html', Buffer.from(pageOf(metafile.outputs, clone))]]);
  utimesSync(page, changed / 1000, changed / 1000);
}

if (import.meta.main) await bundleStudio(process.cwd());
