/**
 * @module The search in all content types: the newest documents of each that contain the text, and types by their name.
 */
import { useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import { type Query, writeQuery } from '../api/query-string.ts';
import { type ResponseBody, readOf } from '../api/request.ts';
import { type ContentType, type Document, editedStatus, ownTypes, versionQuery } from '../model/model.ts';
import { DocumentLink, StateBadge } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { useDelayed } from '../ui/inputs.tsx';
import { Dialog } from '../ui/popups.tsx';
import { DEFAULT_SORT } from './list-query.ts';
import { documentKeyOf, statesOf, useOthers } from './use-list.ts';

/** Each type is a request that may read all its documents. */
const MOST_TYPES = 12;
const MOST_FOUND = 5;
const LEAST_CHARACTERS = 2;

const searchQuery = (type: ContentType, typed: string): Query => ({
  fields: [type.titleAttribute, ...['updatedAt', 'locale'].filter((name) => type.shown.has(name))],
  ...versionQuery(type, editedStatus(type), '*'),
  _q: typed,
  sort: DEFAULT_SORT,
  pagination: { limit: MOST_FOUND, withCount: false },
});

interface FoundProps {
  readonly type: ContentType;
  readonly documents: readonly Document[];
  readonly typed: string;
}

function Found({ type, documents, typed }: FoundProps) {
  const query = { locale: '*' };
  const states = statesOf(type, query, documents, useOthers(type, query, documents));
  return (
    <section className="stack">
      <h3>{type.plural}</h3>
      {documents.map((document) => {
        const key = documentKeyOf(document);
        const state = states.get(key);
        return (
          <div key={key} className="row nowrap">
            <span className="grow ellipsis">
              <DocumentLink type={type} document={document} />
            </span>
            {type.isLocalized && <span className="muted">{document.locale}</span>}
            {state && <StateBadge state={state} />}
          </div>
        );
      })}
      {documents.length === MOST_FOUND && (
        <Link to={`/content/${type.segment}?${writeQuery({ _q: typed })}`}>
          {text('More in {name}', { name: type.plural })}
        </Link>
      )}
    </section>
  );
}

/** Arrows go through the input and the links; Enter in the input opens the first link. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event;
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const index = stops.indexOf(target as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) stops[Math.max(0, Math.min(index + step, stops.length - 1))]?.focus();
  else if (key === 'Enter' && index === 0) stops[1]?.click();
  else return;
  event.preventDefault();
}

export function Search({ onClose }: { readonly onClose: () => void }) {
  const model = useModel();
  const [input, setInput] = useState('');
  const typed = useDelayed(input.trim());
  const isAsked = typed.length >= LEAST_CHARACTERS;
  const own = ownTypes(model);
  const lists = own.filter(({ kind, path }) => kind === 'collectionType' && model.may('get', path));
  const searched = lists.slice(0, MOST_TYPES);
  const left = lists.slice(MOST_TYPES).map(({ name }) => name);
  const results = useQueries({
    queries: searched.map((type) => ({
      ...readOf<ResponseBody<readonly Document[]>>(type.path, searchQuery(type, typed)),
      enabled: isAsked,
    })),
  });
  const named = isAsked ? own.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())) : [];
  const isPending = isAsked && results.some((result) => result.isPending);
  const isNothing = named.length === 0 && results.every(({ data }) => data?.data.length === 0);
  const close = ({ target }: MouseEvent) => {
    if ((target as Element).closest('a')) onClose();
  };
  return (
    <Dialog title={text('Search all content types')} onClose={onClose}>
      <search className="stack" onKeyDown={moveFocus} onClick={close}>
        <input
          type="search"
          aria-label={text('Search all content types')}
          placeholder={text('Search …')}
          value={input}
          onChange={({ target }) => setInput(target.value)}
        />
        <p className="muted small" role="status">
          {isPending && `${text('Searching')} …`}
          {isAsked && isNothing && text('Nothing is found.')}
        </p>
        {named.length > 0 && <h3>{text('Content')}</h3>}
        {named.map(({ uid, name, segment }) => (
          <Link key={uid} to={`/content/${segment}`}>
            {name}
          </Link>
        ))}
        {searched.map((type, index) => {
          const { data, error } = results[index] ?? {};
          if (error) return <p key={type.uid} className="danger">{`${type.plural}: ${error.message}`}</p>;
          return data?.data.length ? <Found key={type.uid} type={type} documents={data.data} typed={typed} /> : null;
        })}
        {left.length > 0 && (
          <p className="muted small">
            {text('Only {count} content types are searched, not: {names}', {
              count: MOST_TYPES,
              names: left.join(', '),
            })}
          </p>
        )}
      </search>
    </Dialog>
  );
}
