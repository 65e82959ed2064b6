/// <reference types="vite/types/importMeta.d.ts" />
/**
 * @module The repository's own corpora as a part of the test bundle: inside workerd there is no file system.
 */
import type { SchemaFile } from '../../src/schema/build.ts';
import setup from './corpus/setup.json' with { type: 'json' };
import morphSetup from './corpus-morph/setup.json' with { type: 'json' };
import optionsSetup from './corpus-options/setup.json' with { type: 'json' };
import writesSetup from './corpus-writes/setup.json' with { type: 'json' };
import type { Scenario } from './recording.ts';
import { type ResetTarget, resetTarget } from './reset.ts';

type Modules<T> = Readonly<Record<string, T>>;

const scenarioModules: Modules<Scenario> = import.meta.glob<Scenario>('./corpus*/scenarios/*.json', {
  eager: true,
  import: 'default',
});
const lenientModules: Modules<Scenario> = import.meta.glob<Scenario>('./corpus*/scenarios-lenient/*.json', {
  eager: true,
  import: 'default',
});
const contentTypeModules: Modules<unknown> = import.meta.glob('./corpus*/content-types/*/schema.json', {
  eager: true,
  import: 'default',
});
const componentModules: Modules<unknown> = import.meta.glob('./corpus*/content-types/components/*/*.json', {
  eager: true,
  import: 'default',
});
const fixtureModules: Modules<string> = import.meta.glob<string>('./corpus/fixtures/*', {
  eager: true,
  import: 'default',
  query: '?url&inline',
});

/** Recordings over one content model. */
export interface Corpus {
  readonly setup: unknown;
  readonly scenarios: readonly Scenario[];
  /** Recorded from a server without strictParams and strictRelations. */
  readonly lenientScenarios: readonly Scenario[];
  readonly schemaFiles: { readonly contentTypes: readonly SchemaFile[]; readonly components: readonly SchemaFile[] };
  readonly targets: readonly ResetTarget[];
}

/** The modules of a folder, in name order. */
const within = <T>(folder: string, modules: Modules<T>): readonly (readonly [string, T])[] =>
  Object.entries(modules)
    .filter(([path]) => path.startsWith(`./${folder}/`))
    .sort(([a], [b]) => (a < b ? -1 : 1));

function corpusIn(folder: string, setupJson: unknown): Corpus {
  const files = (modules: Modules<unknown>) => within(folder, modules).map(([path, json]) => ({ path, json }));
  const scenarios = (modules: Modules<Scenario>) => within(folder, modules).map(([, scenario]) => scenario);
  const contentTypes = files(contentTypeModules);
  return {
    setup: setupJson,
    scenarios: scenarios(scenarioModules),
    lenientScenarios: scenarios(lenientModules),
    schemaFiles: { contentTypes, components: files(componentModules) },
    targets: contentTypes.map(({ json }) => resetTarget(json)),
  };
}

/** A magazine: the model that most recordings are made with. */
export const MAGAZINE: Corpus = corpusIn('corpus', setup);
/** Attributes that no body may set, or that are not searched or shown. */
export const OPTIONS: Corpus = corpusIn('corpus-options', optionsSetup);
/** Links to documents of any type, from both sides. */
export const MORPH: Corpus = corpusIn('corpus-morph', morphSetup);

/** Types that link to themselves and have unique values in shared components. */
export const WRITES: Corpus = corpusIn('corpus-writes', writesSetup);

/** `data:image/png;base64,…` → bytes */
function bytesOf(dataUrl: string): Uint8Array<ArrayBuffer> {
  const text = atob(dataUrl.slice(dataUrl.indexOf(',') + 1));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** @throws Error when the corpus has no such file. */
export function fixture(name: string): Uint8Array<ArrayBuffer> {
  const dataUrl = fixtureModules[`./corpus/fixtures/${name}`];
  if (dataUrl === undefined) throw new Error(`no fixture is called ${name}`);
  return bytesOf(dataUrl);
}
