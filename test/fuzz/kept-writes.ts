/**
 * @module Writes by chance, each with the versions that it makes.
 */
import type { Dice } from '../support/dice.ts';
import { type Event, eventsOfRemoval, eventsOfWrite } from './kept-versions.ts';
import { bodyFor } from './written-bodies.ts';
import { hasDrafts, hasLocales, TYPES, type TypeName } from './written-model.ts';
import { documentOf as idOf, keyOf, localeOf, type Ref, type State, type VersionName } from './written-state.ts';

const DOCUMENTS_OF_A_TYPE = 3;

/** A request, and the versions that it makes if it is carried out. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
  events(response: unknown): readonly Event[];
}

export interface Run {
  readonly dice: Dice;
  readonly state: State;
}

const refsOf = (state: State, type: TypeName): readonly Ref[] => [
  ...new Set(
    [...state.keys()]
      .map((key) => key.split('/'))
      .flatMap(([of, id, locale]) => (of === type ? [`${id}/${locale}`] : [])),
  ),
];

export const anyOf = <T>(dice: Dice, items: readonly T[]): T | undefined => items[dice.below(items.length)];

function writeOf({ dice, state }: Run, except: ReadonlySet<string> = new Set()): Sent {
  const type = dice.pick(TYPES);
  const known = [...new Set(refsOf(state, type).map(idOf))].filter((id) => !except.has(id));
  const isCreate = known.length === 0 || (known.length < DOCUMENTS_OF_A_TYPE && dice.once(2));
  const documentId = isCreate ? undefined : anyOf(dice, known);
  const locale = hasLocales(type) ? dice.pick(['en', 'en', 'fr']) : '';
  const status = hasDrafts(type) ? dice.pick<VersionName>(['draft', 'draft', 'published']) : 'published';
  const draft = documentId && state.get(keyOf(type, `${documentId}/${locale}`, 'draft'));
  const body = bodyFor({ type, documentId, locale }, draft || undefined, state, dice);
  const isWrong = dice.once(12);
  return {
    method: isCreate ? 'POST' : 'PUT',
    path: `/api/${type}s${isCreate ? '' : `/${documentId}`}?${locale && `locale=${locale}&`}status=${status}`,
    body: { data: isWrong ? { ...body.data, someBeta: ['nobody'] } : body.data },
    status: isWrong ? 400 : 200,
    events: (response) => {
      const { documentId: made } = (response as { data: { documentId: string } }).data;
      return eventsOfWrite(type, `${made}/${locale}`, status, state);
    },
  };
}

function removalOf({ dice, state }: Run): Sent {
  const type = dice.pick(TYPES);
  const [documentId = 'nobody', locale] = (anyOf(dice, refsOf(state, type)) ?? '').split('/');
  const all = hasLocales(type) && dice.once(2);
  return {
    method: 'DELETE',
    path: `/api/${type}s/${documentId || 'nobody'}?${hasLocales(type) ? `locale=${all ? '*' : locale || 'en'}` : ''}`,
    body: {},
    status: 204,
    events: () => eventsOfRemoval('delete', type, documentId, all ? undefined : locale, state),
  };
}

function publicationOf({ dice, state }: Run): Sent {
  const type = dice.pick(['alpha', 'beta'] as const);
  const ref = anyOf(dice, refsOf(state, type)) ?? 'nobody/';
  const action = dice.pick(['publish', 'unpublish', 'discardDraft'] as const);
  const path = action === 'discardDraft' ? 'discard-draft' : action;
  const isPublished = state.has(keyOf(type, ref, 'published'));
  const isThere = action === 'discardDraft' ? isPublished : state.has(keyOf(type, ref, 'draft'));
  return {
    method: 'POST',
    path: `/api/${type}s/${idOf(ref)}/actions/${path}${localeOf(ref) && `?locale=${localeOf(ref)}`}`,
    body: {},
    status: isThere ? 200 : 404,
    events: () => {
      if (action === 'unpublish') return eventsOfRemoval('unpublish', type, idOf(ref), localeOf(ref), state);
      return [{ operation: action, type, ref, version: action === 'publish' ? 'published' : 'draft' }];
    },
  };
}

/** Two writes in one commit. */
function batchOf(run: Run): Sent {
  const first = writeOf(run);
  const [, named = ''] = /^\/api\/\w+\/(\w+)/.exec(first.path) ?? [];
  const requests = [first, writeOf(run, new Set([named]))];
  return {
    method: 'POST',
    path: '/api/batch',
    body: { requests: requests.map(({ method, path, body }) => ({ method, path, body })) },
    // The second may depend on the first.
    status: 0,
    events: (response) => {
      const { data } = response as { data: readonly { body: object }[] };
      return requests.flatMap(({ events }, index) => events(data[index]?.body));
    },
  };
}

/** A write by chance, on this state. */
export function drawn(run: Run): Sent {
  const { dice } = run;
  if (dice.once(8)) return batchOf(run);
  if (dice.once(8)) return removalOf(run);
  return dice.once(4) ? publicationOf(run) : writeOf(run);
}
