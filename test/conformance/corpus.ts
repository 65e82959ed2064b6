/**
 * @module A corpus of recordings from its folder. Node only; inside workerd `embedded.ts` takes its place.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Scenario } from './recording.ts';
import { type ResetTarget, resetTarget } from './reset.ts';

export const OWN_CORPUS: string = join(import.meta.dirname, 'corpus');

/** Scenarios recorded without strictParams and strictRelations are kept in a folder of this name. */
const LENIENT_FOLDER = 'scenarios-lenient';

export const isLenient = (scenarioFolder: string): boolean => basename(scenarioFolder) === LENIENT_FOLDER;

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The content types of a corpus, as far as emptying a server needs them. */
export function readTargets(corpus: string): readonly ResetTarget[] {
  const folder = join(corpus, 'content-types');
  const files = readdirSync(folder).map((name) => join(folder, name, 'schema.json'));
  return files
    .filter((file) => existsSync(file))
    .sort()
    .map((file) => resetTarget(readJson(file)));
}

/**
 * The scenarios of a folder in name order; `only` picks by scenario or file name.
 * @throws Error when a name of `only` is not there, or a file is no scenario.
 */
export function readScenarios(folder: string, only?: readonly string[]): readonly Scenario[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const all = files.sort().map((file) => ({ file, scenario: readJson(join(folder, file)) as Scenario }));
  const broken = all.find(({ scenario }) => !Array.isArray(scenario.steps));
  if (broken) throw new Error(`${join(folder, broken.file)}: no scenario, it has no list of steps`);
  if (only === undefined) return all.map(({ scenario }) => scenario);
  const namesOf = ({ file, scenario }: (typeof all)[number]) => [scenario.name, file, basename(file, '.json')];
  const missing = only.filter((name) => !all.some((entry) => namesOf(entry).includes(name)));
  if (missing.length > 0) throw new Error(`no scenario is called ${missing.join(', ')} in ${folder}`);
  return all.filter((entry) => namesOf(entry).some((name) => only.includes(name))).map(({ scenario }) => scenario);
}

export const readSetup = (corpus: string): unknown => readJson(join(corpus, 'setup.json'));

/** A reader of the corpus' fixtures; each file is read once. */
export function fixtureReader(corpus: string): (name: string) => Uint8Array<ArrayBuffer> {
  const known = new Map<string, Uint8Array<ArrayBuffer>>();
  return (name) => {
    const bytes = known.get(name) ?? new Uint8Array(readFileSync(join(corpus, 'fixtures', name)));
    known.set(name, bytes);
    return bytes;
  };
}
