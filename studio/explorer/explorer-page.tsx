/**
 * @module Explorer of the API: `/explorer?request=<path and query>`. A request is clicked together, or typed.
 */

import { type ComponentProps, type KeyboardEvent, useId, useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { address, type Query, textList } from '../api/query-string.ts';
import type { ResponseBody } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { PUBLICATION_FILTER_LABELS } from '../list/list-query.ts';
import { ownTypes } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text, textsOf } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Check, Checks, DelayedInput, Field, Select } from '../ui/inputs.tsx';
import { Tabs } from '../ui/popups.tsx';
import { addStyles } from '../ui/styles.ts';
import { copyText } from '../ui/toasts.tsx';
import styles from './explorer.css' with { type: 'text' };
import { given, Level, Section } from './level.tsx';
import { type Explored, ownAddress, readAddress, snippets } from './request-state.ts';
import { Response, useResponse } from './response.tsx';

addStyles(styles);

/** Ways to ask for a page, each with its parameters as they are at first. */
const PAGES: Readonly<Record<string, Query>> = {
  page: { page: 1, pageSize: 10 },
  offset: { start: 0, limit: 10 },
  cursor: { after: '', limit: 10 },
};

function modeOf({ page, pageSize, start, limit, after }: Query): string {
  if (after !== undefined) return 'cursor';
  if (page !== undefined || pageSize !== undefined) return 'page';
  return start !== undefined || limit !== undefined ? 'offset' : '';
}

interface ControlsProps {
  readonly explored: Explored;
  /** Begins another request. */
  readonly onPath: (path: string) => void;
  /** Undefined removes a parameter. */
  readonly onChange: (patch: Query) => void;
}

/** A choice with its label above it. */
function Choice(props: ComponentProps<typeof Select>) {
  const id = useId();
  return (
    <Field id={id} label={props.label}>
      <Select id={id} {...props} />
    </Field>
  );
}

function Pagination({ query, onChange }: Omit<ControlsProps, 'explored' | 'onPath'> & { readonly query: Query }) {
  const value = (query.pagination ?? {}) as Query;
  const mode = modeOf(value);
  const change = (patch: Query) => onChange({ pagination: { ...value, ...patch } });
  const options = textsOf({ page: 'Pages by number', offset: 'Pages by offset', cursor: 'Pages by cursor' });
  const count = String(value.withCount ?? mode !== 'cursor') === 'true';
  return (
    <>
      <Choice
        label={text('Pagination')}
        value={mode}
        options={options}
        none={text('The first page')}
        onChange={(key) => onChange({ pagination: PAGES[key] })}
      />
      {Object.keys(PAGES[mode] ?? {}).map((name) => (
        <div key={name} className="row nowrap">
          <code>{name}</code>
          <DelayedInput
            label={name}
            value={String(value[name] ?? '')}
            onCommit={(typed) => change({ [name]: typed === '' && name !== 'after' ? undefined : typed })}
          />
        </div>
      ))}
      <Check label={text('with count')} isOn={count} onChange={(isOn) => change({ withCount: isOn })} />
    </>
  );
}

const lookupHint = (names: readonly string[]): string =>
  text('Or a unique value: {forms}', { forms: names.map((name) => `${name}:…`).join(', ') });

function Controls({ explored, onPath, onChange }: ControlsProps) {
  const { type, query, documentId } = explored;
  const { types, locales, hasFallbacks } = useModel();
  const names = Object.fromEntries([...types.values()].map(({ path, plural }) => [path, plural]));
  const systemId = type?.takesDocumentId ? 'id / documentId' : 'id';
  const idName = type?.isSystem ? systemId : 'documentId';
  const isList = type?.kind === 'collectionType' && documentId === undefined;
  const facets = textList(query.facets);
  const bound = (name: string) => ({
    value: String(query[name] ?? ''),
    onChange: (value: string) => onChange({ [name]: value || undefined }),
  });
  return (
    <div className="stack">
      <Choice
        label={text('Content type')}
        value={type?.path ?? ''}
        options={names}
        none={text('Choose …')}
        onChange={onPath}
      />
      {type?.kind === 'collectionType' && (
        <Choice
          label={text('List or document')}
          value={documentId === undefined ? '' : '/'}
          options={textsOf({ '/': 'One document' })}
          none={text('A list')}
          onChange={(end) => onPath(type.path + end)}
        />
      )}
      {type && documentId !== undefined && (
        <Field id="explorer-id" label={idName} hint={type.lookups.length > 0 && lookupHint(type.lookups)}>
          <DelayedInput
            id="explorer-id"
            label={idName}
            value={documentId}
            onCommit={(id) => onPath(`${type.path}/${encodeURIComponent(id)}`)}
          />
        </Field>
      )}
      {type?.hasDrafts && (
        <>
          <Choice label="status" none={text('Published')} options={textsOf({ draft: 'Drafts' })} {...bound('status')} />
          <Choice
            label="publicationFilter"
            none={text('In any state')}
            options={textsOf(PUBLICATION_FILTER_LABELS)}
            {...bound('publicationFilter')}
          />
        </>
      )}
      {type?.isLocalized && (
        <Choice
          label="locale"
          none={text('Default locale')}
          options={{ ...locales, '*': text('All locales') }}
          {...bound('locale')}
        />
      )}
      {type?.isLocalized && hasFallbacks && (
        <Check
          label="fallback"
          isOn={query.fallback === 'true'}
          onChange={(isOn) => onChange({ fallback: isOn || undefined })}
        />
      )}
      {(isList ? ['_q', ...(type.isSearched ? ['search'] : [])] : []).map((name) => (
        <Field key={name} id={`explorer-${name}`} label={name}>
          <DelayedInput
            id={`explorer-${name}`}
            type="search"
            label={name}
            placeholder={text('Search …')}
            value={bound(name).value}
            onCommit={bound(name).onChange}
          />
        </Field>
      ))}
      {isList && type.isSearched && (query.search ?? query.highlights) !== undefined && (
        <Check
          label="highlights"
          isOn={query.highlights === 'true'}
          onChange={(isOn) => onChange({ highlights: isOn || undefined })}
        />
      )}
      {type && <Level uid={type.uid} isMany={isList} isTop={!type.isSystem} query={query} onChange={onChange} />}
      {isList && type.facets.length > 0 && (
        <Section title="facets" count={facets.length}>
          <Checks names={type.facets} chosen={facets} onChange={(chosen) => onChange({ facets: given(chosen) })} />
        </Section>
      )}
      {isList && <Pagination query={query} onChange={onChange} />}
    </div>
  );
}

const snippet = (name: string, code: string) => (
  <div className="row nowrap top verbatim">
    <pre className="grow">{code}</pre>
    <IconButton icon="copy" label={text('Copy {name}', { name })} onClick={() => copyText(code)} />
  </div>
);

export function ExplorerPage() {
  const model = useModel();
  const session = useSession();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { origin } = window.location;
  const typed = search.get('request') ?? ownTypes(model)[0]?.path ?? '/api/';
  const own = ownAddress(typed, origin);
  const explored = useMemo(() => readAddress(model, own ?? ''), [model, own]);
  const isOpen = explored.documentId === '';
  const result = useResponse(isOpen ? undefined : own);

  const show = (request: string) =>
    navigate({ search: `?request=${encodeURIComponent(request)}` }, { replace: true, flushSync: true });
  const change = (patch: Query) => show(address(explored.path, { ...explored.query, ...patch }));
  const pagination = explored.query.pagination as Query | undefined;
  const next = (result.data?.body as Partial<ResponseBody<unknown>> | null | undefined)?.meta?.pagination?.next;
  const codes = Object.entries(snippets(origin, explored, Boolean(session?.token)));
  const panels = Object.fromEntries(codes.map(([name, code]) => [name, snippet(name, code)]));
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) result.refetch();
  };
  return (
    <PageLayout title={text('Explorer')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key that works everywhere on this page */}
      <div className="beside-content" onKeyDown={press}>
        <Controls explored={explored} onPath={show} onChange={change} />
        <div className="stack content">
          <div className="row nowrap">
            <strong>GET</strong>
            <DelayedInput label={text('Address')} className="mono" spellCheck={false} value={typed} onCommit={show} />
            <IconButton icon="copy" label={text('Copy the URL')} onClick={() => copyText(`${origin}${own}`)} />
            <Button
              label={text('Run')}
              look="primary"
              aria-keyshortcuts="Control+Enter"
              disabled={!own}
              onClick={() => result.refetch()}
            />
          </div>
          {!own && (
            <p className="card failure">
              {text('Only addresses of this server’s API can be explored, such as /api/articles.')}
            </p>
          )}
          {own && <Tabs panels={panels} />}
          {own && !isOpen && <Response result={result} />}
          {next && (
            <Button label={text('Next page')} onClick={() => change({ pagination: { ...pagination, after: next } })} />
          )}
        </div>
      </div>
    </PageLayout>
  );
}
