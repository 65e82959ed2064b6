/**
 * @module The steps of a caller: those of every feature, and those about accounts and documents of this world.
 */
import type fc from 'fast-check';
import { USER_UID } from '../../../src/schema/system-types.ts';
import { each, FEATURES, type Steps, stepsOf } from '../../generators/features.ts';
import type { Planned } from '../../generators/step.ts';
import { grantOf } from './rights.ts';
import type { Step } from './step.ts';
import { subjectOf } from './subject.ts';
import { registrationBy, signIn, users, userWrites } from './surfaces/accounts.ts';
import { taken } from './surfaces/taken.ts';

const ownOf = (caller: string): Readonly<Record<string, { readonly weight: number; readonly steps: Steps }>> => ({
  users: { weight: 4, steps: each(users) },
  registrations: { weight: 2, steps: each(() => registrationBy(caller)) },
  'sign-in': { weight: 2, steps: each(() => signIn) },
  'writes of users': { weight: grantOf(caller, 'update', USER_UID) ? 10 : 1, steps: each(() => userWrites) },
  'documents that are taken away': { weight: 4, steps: () => taken },
});

export const SURFACES = [...Object.keys(FEATURES), ...Object.keys(ownOf('public'))];

/** Steps of any surface, by their weights. */
export function surfacesFor(caller: string): readonly fc.WeightedArbitrary<readonly Step[]>[] {
  const subject = subjectOf(caller);
  return [...stepsOf(FEATURES, subject), ...stepsOf(ownOf(caller), subject)];
}

/** Of a page whose rows are counted before they are read. */
const LARGE = 'pagination[pageSize]=100';

/** What the caller sees in the end. */
export const FINAL_READS: readonly Planned[] = [
  ...['stories', 'chapters', 'children', 'remarks', 'menus', 'boards', 'sheets', 'leaflets', 'posters'].map(
    (plural) => ({
      method: 'GET',
      path: `/api/${plural}?populate=*&locale=*&${LARGE}`,
    }),
  ),
  { method: 'GET', path: '/api/menus?populate[items][populate]=*&populate[stories][populate]=remarks' },
  { method: 'GET', path: `/api/stories?populate[card][populate]=*&populate[parts][populate]=*&${LARGE}` },
  { method: 'GET', path: '/api/home?populate=*' },
  { method: 'GET', path: '/api/notice?populate=*' },
  { method: 'GET', path: '/api/topics?populate[stories][sort]=title' },
  { method: 'GET', path: '/api/users?populate=*' },
  { method: 'GET', path: '/api/upload/files?populate=related' },
  { method: 'GET', path: '/api/scheduled' },
];
