/// <reference types="vite/types/importMeta.d.ts" />
/**
 * @module The repository's own corpus as a part of the test bundle: inside workerd there is no file system.
 */
import type { SchemaFile } from '../../src/registry/build.ts';
import setup from './corpus/setup.json' with { type: 'json' };
import type { Scenario } from './recording.ts';
import { type ResetTarget, resetTarget } from './reset.ts';

type Modules<T> = Readonly<Record<string, T>>;

const scenarioModules: Modules<Scenario> = import.meta.glob<Scenario>('./corpus/scenarios/*.json', {
  eager: true,
  import: 'default',
});
const lenientModules: Modules<Scenario> = import.meta.glob<Scenario>('./corpus/scenarios-lenient/*.json', {
  eager: true,
  import: 'default',
});
const contentTypeModules: Modules<unknown> = import.meta.glob('./corpus/content-types/*/schema.json', {
  eager: true,
  import: 'default',
});
const componentModules: Modules<unknown> = import.meta.glob('./corpus/content-types/components/*/*.json', {
  eager: true,
  import: 'default',
});
const fixtureModules: Modules<string> = import.meta.glob<string>('./corpus/fixtures/*', {
  eager: true,
  import: 'default',
  query: '?url&inline',
});

const inNameOrder = <T>(modules: Modules<T>): readonly (readonly [string, T])[] =>
  Object.entries(modules).sort(([a], [b]) => (a < b ? -1 : 1));

const filesOf = (modules: Modules<unknown>): readonly SchemaFile[] =>
  inNameOrder(modules).map(([path, json]) => ({ path, json }));

const scenariosOf = (modules: Modules<Scenario>): readonly Scenario[] =>
  inNameOrder(modules).map(([, scenario]) => scenario);

export const SETUP: unknown = setup;
export const SCENARIOS: readonly Scenario[] = scenariosOf(scenarioModules);
/** Recorded from a server without strictParams and strictRelations. */
export const LENIENT_SCENARIOS: readonly Scenario[] = scenariosOf(lenientModules);
export const SCHEMA_FILES: {
  readonly contentTypes: readonly SchemaFile[];
  readonly components: readonly SchemaFile[];
} = { contentTypes: filesOf(contentTypeModules), components: filesOf(componentModules) };
export const TARGETS: readonly ResetTarget[] = SCHEMA_FILES.contentTypes.map(({ json }) => resetTarget(json));

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
