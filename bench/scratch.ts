/**
 * @module The scratch project: the product's source with the bench content types, and the hand-written Worker beside it
 * under the same Wrangler settings.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSchemaFiles, registryOf } from '../cli/project/project.ts';
import { builtFiles } from '../cli/project/project-file.ts';
import { loadSettings } from '../cli/project/settings.ts';
import { writeFiles } from '../cli/project/write-files.ts';
import type { Registry } from '../src/schema/model.ts';
import { INDEXES, SEARCH } from './declared.ts';

const PROJECT = dirname(import.meta.dirname);
const SCRATCH = join(PROJECT, '.scratch', 'bench');

export interface Scratch {
  readonly root: string;
  readonly registry: Registry;
  /** Wrangler configurations. */
  readonly configs: { readonly product: string; readonly handwritten: string };
}

const setting = (text: string, key: string, value: string): string =>
  text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${JSON.stringify(value)}`);

/** A Wrangler configuration for a project that is built already: it runs no build, and serves no Studio. */
export const servedConfig = (text: string): string => text.replaceAll(/^\[(build|assets)\]\n(.+\n)*/gm, '');

function writeConfigs(): Scratch['configs'] {
  const text = servedConfig(readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8'));
  const configs = { product: join(SCRATCH, 'wrangler.toml'), handwritten: join(SCRATCH, 'handwritten.toml') };
  writeFileSync(configs.product, setting(text, 'name', 'bench-product'));
  const handwritten = setting(text, 'name', 'bench-handwritten');
  writeFileSync(configs.handwritten, setting(handwritten, 'main', 'bench/handwritten/index.ts'));
  return configs;
}

/** Makes the scratch project anew, with the content types under `model`. @throws SchemaError for content types that do not fit the source. */
export async function makeScratch(model: string = import.meta.dirname): Promise<Scratch> {
  const { files, problems } = await readSchemaFiles(model);
  const read = {
    files: model === import.meta.dirname ? { ...files, indexes: INDEXES, search: SEARCH } : files,
    problems,
  };
  const registry = registryOf(read);
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(SCRATCH, { recursive: true });
  cpSync(join(PROJECT, 'src'), join(SCRATCH, 'src'), { recursive: true });
  for (const path of ['handwritten', 'settings.ts'])
    cpSync(join(import.meta.dirname, path), join(SCRATCH, 'bench', path), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(SCRATCH, 'node_modules'), 'dir');
  writeFileSync(join(SCRATCH, 'edgewise.config.ts'), `export { default } from './bench/settings.ts';\n`);
  writeFiles(SCRATCH, builtFiles(SCRATCH, read.files, await loadSettings(SCRATCH)));
  return { root: SCRATCH, registry, configs: writeConfigs() };
}
