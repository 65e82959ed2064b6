/**
 * @module The surfaces of the API: for each, a generator of the steps that use it. A new feature adds its own here.
 */
import fc from 'fast-check';
import type { CallerName } from './names.ts';
import type { Requests } from './requests.ts';
import { type Planned, requested, type Step } from './step.ts';
import { registration, signIn, users, userWrites } from './surfaces/accounts.ts';
import { files, uploads } from './surfaces/files.ts';
import { history } from './surfaces/history.ts';
import { ownCode } from './surfaces/own-code.ts';
import { publication, schedule, scheduled } from './surfaces/publication.ts';
import { cached, descriptions, read, repeated } from './surfaces/reads.ts';
import { taken } from './surfaces/taken.ts';
import { confirmations, historyTools, tools } from './surfaces/tools.ts';
import { batch, create, keyed, matching, remove, update } from './surfaces/writes.ts';

interface Surface {
  readonly name: string;
  /** How often it is used, compared with the others. */
  readonly weight: number;
  readonly steps: (caller: CallerName) => fc.Arbitrary<readonly Step[]>;
}

const each =
  (requests: Requests): Surface['steps'] =>
  (caller) =>
    requests(caller).map((planned) => [requested(planned)]);
const always = (requests: fc.Arbitrary<Planned>): Surface['steps'] => each(() => requests);

export const SURFACES: readonly Surface[] = [
  { name: 'reads', weight: 20, steps: each(read) },
  { name: 'reads again', weight: 4, steps: repeated },
  { name: 'reads that others made before', weight: 4, steps: cached },
  { name: 'creates', weight: 8, steps: each(create) },
  { name: 'updates', weight: 14, steps: each(update) },
  { name: 'deletes', weight: 4, steps: each(remove) },
  { name: 'publication', weight: 8, steps: each(publication) },
  { name: 'schedules', weight: 4, steps: each(schedule) },
  { name: 'history', weight: 8, steps: history },
  { name: 'entries of schedules', weight: 4, steps: always(scheduled) },
  { name: 'the cron trigger', weight: 2, steps: () => fc.constant([{ kind: 'cron' }]) },
  { name: 'If-Match', weight: 4, steps: matching },
  { name: 'Idempotency-Key', weight: 4, steps: keyed },
  { name: 'batches', weight: 8, steps: each(batch) },
  { name: 'uploads', weight: 6, steps: each(uploads) },
  { name: 'files', weight: 4, steps: each(files) },
  { name: 'users', weight: 4, steps: each(users) },
  { name: 'registrations', weight: 2, steps: always(registration) },
  { name: 'sign-in', weight: 2, steps: always(signIn) },
  { name: 'writes of users', weight: 2, steps: each(userWrites) },
  { name: 'code of a project', weight: 4, steps: each(ownCode) },
  { name: 'tools', weight: 10, steps: each(tools) },
  { name: 'confirmations', weight: 4, steps: confirmations },
  { name: 'tools of the history', weight: 3, steps: historyTools },
  { name: 'documents that are taken away', weight: 4, steps: () => taken },
  { name: 'descriptions', weight: 1, steps: always(descriptions) },
];

/** What the caller sees in the end. */
export const FINAL_READS: readonly Planned[] = [
  ...['stories', 'chapters', 'children', 'remarks', 'menus', 'boards', 'sheets', 'leaflets', 'posters'].map(
    (plural) => ({
      method: 'GET',
      path: `/api/${plural}?populate=*&locale=*&pagination[pageSize]=100`,
    }),
  ),
  { method: 'GET', path: '/api/menus?populate[items][populate]=*&populate[stories][populate]=remarks' },
  { method: 'GET', path: '/api/home?populate=*' },
  { method: 'GET', path: '/api/notice?populate=*' },
  { method: 'GET', path: '/api/topics?populate[stories][sort]=title' },
  { method: 'GET', path: '/api/users?populate=*' },
  { method: 'GET', path: '/api/upload/files?populate=related' },
  { method: 'GET', path: '/api/scheduled' },
];
