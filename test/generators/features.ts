/**
 * @module The features of the API: for each, the settings that switch it on and the requests that reach it. A new feature
 * joins all fuzzers by its entry.
 */
import fc from 'fast-check';
import type { Registry } from '../../src/schema/model.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { files, uploads } from './features/files.ts';
import { history } from './features/history.ts';
import { allLevels, facets, presets, presetsOf, searches, slices } from './features/lists.ts';
import { ownCode } from './features/own-code.ts';
import { previewOf, previews } from './features/previews.ts';
import { entries, publication, schedule } from './features/publication.ts';
import { cached, descriptions, lookups, read, repeated } from './features/reads.ts';
import { confirmations, historyTools, tools } from './features/tools.ts';
import { batch, create, keyed, matching, remove, update } from './features/writes.ts';
import { requested, type Step } from './step.ts';
import type { Requests, Subject } from './subject.ts';

export type Steps = (subject: Subject) => fc.Arbitrary<readonly Step[]>;

interface Feature {
  /** How often it is used, compared with the others. */
  readonly weight: number;
  /** What a caller has to be granted, to use it more than once in a while. */
  readonly action?: string;
  readonly steps: Steps;
  readonly settings?: (registry: Registry) => SettingsInput;
  /** The fuzzers with a model of what has to be: how each has the feature, or why it does not. */
  readonly modelled: Readonly<Record<Modelled, string>>;
}

/** Fuzzers that compare what they read with a model of it: written.test.ts, largest/, and the chains of commands. */
type Modelled = 'written' | 'largest' | 'chains';

export const each =
  (requests: Requests): Steps =>
  (subject) =>
    requests(subject).map((planned) => [requested(planned)]);

const READS = {
  written: 'readState reads every version with all links after each write',
  largest: 'lists, populates, searches, cursors and filters of script.ts',
  chains: 'seen.ts reads all documents after each step',
};
const WRITES = {
  written: 'bodies of all forms, each with its effect',
  largest: 'creates, updates and deletes of script.ts',
  chains: 'content.ts writes documents between the steps',
};
const HISTORY = {
  written: 'written-history.long.test.ts has a model of it',
  largest: 'lists, versions and a restoration of script.ts',
  chains: 'former versions are among what is seen',
};
const TOOLS = {
  written: 'calls of tools are requests to the same operations, which are modelled',
  largest: 'calls of tools are requests to the same operations, as large as script.ts sends them',
  chains: 'commands know nothing of tools',
};

export const FEATURES = {
  reads: { weight: 20, steps: each(read), modelled: READS },
  'parts of lists': { weight: 4, steps: each(slices), modelled: READS },
  facets: { weight: 4, steps: each(facets), modelled: READS },
  'searches by words': { weight: 5, steps: each(searches), modelled: READS },
  presets: { weight: 3, steps: each(presets), settings: presetsOf, modelled: READS },
  'all levels': {
    weight: 3,
    steps: each(allLevels),
    settings: () => ({ api: { rest: { deepPopulate: true } } }),
    modelled: READS,
  },
  'reads again': { weight: 4, steps: repeated, modelled: READS },
  'reads that others made before': { weight: 4, steps: cached, modelled: READS },
  'reads by unique values': {
    weight: 6,
    steps: lookups,
    modelled: {
      ...READS,
      written: 'finds what a filter of a list finds, by one condition more',
      largest: 'a lookup reads one document, which script.ts reads with all its links',
    },
  },
  creates: { weight: 8, action: 'create', steps: each(create), modelled: WRITES },
  updates: { weight: 14, action: 'update', steps: each(update), modelled: WRITES },
  deletes: { weight: 4, action: 'delete', steps: each(remove), modelled: WRITES },
  publication: {
    weight: 8,
    action: 'publish',
    steps: each(publication),
    modelled: { ...WRITES, written: 'status=published here, the actions in written-history.long.test.ts' },
  },
  schedules: {
    weight: 8,
    action: 'publish',
    steps: each(schedule),
    modelled: {
      written: 'the cron trigger publishes by the same operation',
      largest: 'a schedule that is listed and cancelled in script.ts',
      chains: 'steps/schedule.ts carries them out',
    },
  },
  history: { weight: 8, action: 'history', steps: history, settings: () => ({ history: true }), modelled: HISTORY },
  'entries of schedules': {
    weight: 4,
    action: 'publish',
    steps: each(entries),
    modelled: {
      written: 'an entry changes nothing before its time',
      largest: 'a schedule that is listed and cancelled in script.ts',
      chains: 'schedules are among what is seen',
    },
  },
  'the cron trigger': {
    weight: 2,
    steps: () => fc.constant([{ kind: 'cron' }]),
    modelled: {
      written: 'no document is scheduled',
      largest: 'fires at the end of script.ts',
      chains: 'steps/schedule.ts fires it',
    },
  },
  'If-Match': {
    weight: 8,
    action: 'update',
    steps: matching,
    modelled: {
      written: 'a write that is rejected changes nothing, whatever rejects it',
      largest: 'a tag has no size',
      chains: 'commands send no tags',
    },
  },
  'Idempotency-Key': {
    weight: 6,
    action: 'create',
    steps: keyed,
    modelled: {
      written: 'each write is sent once',
      largest: 'a key has a fixed size',
      chains: 'commands send no keys',
    },
  },
  batches: {
    weight: 10,
    action: 'update',
    steps: each(batch),
    modelled: {
      written: 'batches of two writes in written-history.long.test.ts',
      largest: 'a batch as long as it may be in script.ts',
      chains: 'writes one after the other are enough to have content',
    },
  },
  uploads: {
    weight: 6,
    action: 'upload',
    steps: each(uploads),
    settings: () => ({ server: { url: 'https://api.example' }, upload: { private: true } }),
    modelled: {
      written: 'written-files.test.ts has a model of it',
      largest: 'uploads onto documents of script.ts',
      chains: 'rows and objects of files are among what is seen',
    },
  },
  files: {
    weight: 4,
    steps: each(files),
    modelled: {
      written: 'written-files.test.ts has a model of it',
      largest: 'lists of files with their uses of script.ts',
      chains: 'facets/library.ts',
    },
  },
  previews: {
    weight: 5,
    action: 'previewLink',
    steps: previews,
    settings: previewOf,
    modelled: {
      written: 'a preview writes nothing',
      largest: 'shows one document, which script.ts reads with all its links',
      chains: 'a token names nothing that commands change',
    },
  },
  'code of a project': {
    weight: 4,
    steps: each(ownCode),
    modelled: {
      written: 'own code calls the same operations, which are modelled',
      largest: 'own code calls the same operations, as large as script.ts sends them',
      chains: 'commands run no code of a project',
    },
  },
  tools: { weight: 10, steps: each(tools), settings: () => ({ mcp: true }), modelled: TOOLS },
  confirmations: { weight: 4, steps: confirmations, modelled: TOOLS },
  'tools of the history': { weight: 3, steps: historyTools, modelled: { ...TOOLS, written: HISTORY.written } },
  descriptions: {
    weight: 1,
    steps: each(() => descriptions),
    modelled: {
      written: 'is no content',
      largest: 'describes content types, in many-types.test.ts',
      chains: 'commands write openapi.json, which has tests of its own',
    },
  },
} satisfies Readonly<Record<string, Feature>>;

/** Steps by their weights, each with its name. */
export const stepsOf = (
  features: Readonly<Record<string, Pick<Feature, 'weight' | 'action' | 'steps'>>>,
  subject: Subject,
): readonly fc.WeightedArbitrary<readonly (Step & { readonly surface: string })[]>[] =>
  Object.entries(features).map(([surface, { weight, action, steps }]) => ({
    weight: action === undefined || subject.may(action) ? weight : 1,
    arbitrary: steps(subject).map((all) => all.map((step) => ({ ...step, surface }))),
  }));

/** Settings in which every feature is on. */
export const settingsOf = (registry: Registry): SettingsInput =>
  Object.assign({}, ...Object.values<Feature>(FEATURES).map(({ settings }) => settings?.(registry) ?? {}));
