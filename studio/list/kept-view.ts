/**
 * @module What a user has chosen for a list: columns, filters, sort and the size of pages, and filters with a name. It
 * is kept in this browser by content type and by who is signed in.
 */
import { attempt, type Query, readQuery, writeQuery } from '../api/query-string.ts';
import { type ResponseBody, readOf } from '../api/request.ts';
import { createStore, session } from '../api/session.ts';
import type { ContentType, Document, Model } from '../model/model.ts';
import { listRequest } from './list-query.ts';
import { type Choices, fittingView, KEPT, pick, readChoices } from './view.ts';

const changes = createStore(0);

const keyOf = ({ segment }: ContentType): string => JSON.stringify(['studio.list', session()?.id, segment]);

const choicesOf = (type: ContentType): Choices => readChoices(localStorage.getItem(keyOf(type)));

function keep(type: ContentType, choices: Partial<Choices>): void {
  // A full storage keeps what it has.
  attempt(() => localStorage.setItem(keyOf(type), JSON.stringify({ ...choicesOf(type), ...choices })), undefined);
  changes.set(changes.get() + 1);
}

/** Returns the query string of the view that is kept, or ''. */
export const keptView = (model: Model, type: ContentType): string =>
  writeQuery(fittingView(model, type, choicesOf(type).view));

/** How long a list that was read while its screen was loaded serves that screen, in milliseconds. */
const LIFE = 1000;

/** Reads a page of a list. @param search the query string of its address */
export const listAt = (model: Model, type: ContentType, search: string) => ({
  ...readOf<ResponseBody<readonly Document[]>>(type.path, listRequest(model, type, readQuery(search))),
  staleTime: LIFE,
});

/** Keeps what a change of a list chooses. @param patch undefined removes a parameter */
export const keepView = (type: ContentType, patch: Query): void =>
  keep(type, { view: writeQuery({ ...readQuery(choicesOf(type).view), ...pick(patch, KEPT) }) });

/** Returns the filters that have a name, as query strings; the component follows. */
export function useSavedFilters(type: ContentType): Choices['saved'] {
  changes.use();
  return choicesOf(type).saved;
}

/** Changes the filters that have a name as they are now: another tab may have changed them. */
export const changeFilters = (type: ContentType, change: (saved: Choices['saved']) => Choices['saved']): void =>
  keep(type, { saved: change(choicesOf(type).saved) });
