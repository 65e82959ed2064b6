/**
 * @module Publication, now and at a time to come.
 */
import fc from 'fast-check';
import { nameOf } from '../names.ts';
import { documentQuery } from '../queries.ts';
import {
  documentPath,
  either,
  grammarNamed,
  type Requests,
  SINGLES,
  typeFor,
  withQuery,
  writtenLocale,
} from '../requests.ts';
import type { Planned } from '../step.ts';

const DRAFTED = ['story', 'story', 'chapter', 'sheet', 'board'];
const ACTIONS = { publish: 'publish', unpublish: 'unpublish', discardDraft: 'discard-draft' } as const;
const action = fc.constantFrom('publish', 'publish', 'unpublish', 'discardDraft' as const);
const singleAction = fc
  .tuple(fc.constantFrom(...SINGLES), fc.constantFrom(...Object.values(ACTIONS)), fc.constantFrom('', '', 'locale=fr'))
  .map(
    ([type, name, locale]): Planned => ({ method: 'POST', path: withQuery(`/api/${type}/actions/${name}`, locale) }),
  );

export const publication: Requests = (caller) =>
  either(
    12,
    action.chain((name) =>
      typeFor(caller, name, DRAFTED).chain((type) =>
        nameOf(type).chain((document) =>
          fc.tuple(documentQuery(grammarNamed(type, caller)), writtenLocale(document)).map(([...queries]) => ({
            method: 'POST',
            path: withQuery(`${documentPath(type, document)}/actions/${ACTIONS[name]}`, ...queries),
          })),
        ),
      ),
    ),
    singleAction,
  );

const at = fc.constantFrom('2026-06-01T12:03:00.000Z', '2026-06-01T12:30:00.000Z', '2020-01-01T00:00:00.000Z');

const singleSchedule = fc.tuple(fc.constantFrom(...SINGLES), fc.constantFrom('publish', 'unpublish'), at).map(
  ([type, name, time]): Planned => ({
    method: 'POST',
    path: `/api/${type}/actions/${name}`,
    json: { data: { at: time } },
  }),
);

export const schedule: Requests = (caller) => either(8, scheduleOf(caller), singleSchedule);

const scheduleOf: Requests = (caller) =>
  fc.constantFrom('publish', 'unpublish').chain((name) =>
    typeFor(caller, name, DRAFTED).chain((type) =>
      fc.tuple(nameOf(type), at, fc.constantFrom('', '', 'locale=fr', 'locale=de')).map(([document, time, locale]) => ({
        method: 'POST',
        path: withQuery(`${documentPath(type, document)}/actions/${name}`, locale),
        json: { data: { at: time } },
      })),
    ),
  );

const hex = (text: string): string => [...text].map((each) => each.charCodeAt(0).toString(16)).join('');
/** The ids that entries of hidden documents have; see `chance.ts`. */
const hiddenEntry = fc.nat(4).map((index) => hex(`hidden${index}1`.padStart(12, '.')));

export const scheduled: fc.Arbitrary<Planned> = fc.oneof(
  fc.constant({ method: 'GET', path: '/api/scheduled' }),
  fc.oneof(hiddenEntry, fc.constant('{entry}')).map((entry) => ({ method: 'DELETE', path: `/api/scheduled/${entry}` })),
);
