/**
 * @module The controls of a request, from its target to its pages.
 */
import type { Query } from '../api/query-string.ts';
import { PUBLICATION_FILTERS } from '../list/list-query.ts';
import { useModel } from '../shell/model.ts';
import { Check, DelayedInput, SearchBox, Select } from '../ui/inputs.tsx';
import { Level } from './level.tsx';
import type { Explored } from './request-state.ts';

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

function Pagination({ query, onChange }: Omit<ControlsProps, 'explored' | 'onPath'> & { readonly query: Query }) {
  const value = (query.pagination ?? {}) as Query;
  const mode = modeOf(value);
  const change = (patch: Query) => onChange({ pagination: { ...value, ...patch } });
  const options = { page: 'Pages by number', offset: 'Pages by offset', cursor: 'Pages by cursor' };
  const count = String(value.withCount ?? mode !== 'cursor') === 'true';
  return (
    <>
      <Select
        label="Pagination"
        value={mode}
        options={options}
        none="The first page"
        onChange={(key) => onChange({ pagination: PAGES[key] })}
      />
      {Object.keys(PAGES[mode] ?? {}).map((name) => (
        <div key={name} className="row nowrap">
          <code>{name}</code>
          <DelayedInput
            aria-label={name}
            value={String(value[name] ?? '')}
            onCommit={(text) => change({ [name]: text === '' && name !== 'after' ? undefined : text })}
          />
        </div>
      ))}
      <Check label="with count" isOn={count} onChange={(isOn) => change({ withCount: isOn })} />
    </>
  );
}

export function Controls({ explored, onPath, onChange }: ControlsProps) {
  const { type, query, documentId } = explored;
  const { types, locales } = useModel();
  const names = Object.fromEntries([...types.values()].map(({ path, name }) => [path, name]));
  const idName = type?.isSystem ? 'id' : 'documentId';
  const isList = type?.kind === 'collectionType' && documentId === undefined;
  const bound = (name: string) => ({
    value: String(query[name] ?? ''),
    onChange: (value: string) => onChange({ [name]: value || undefined }),
  });
  return (
    <div className="stack">
      <Select label="Content type" value={type?.path ?? ''} options={names} none="Choose …" onChange={onPath} />
      {type?.kind === 'collectionType' && (
        <Select
          label="List or document"
          value={documentId === undefined ? '' : '/'}
          options={{ '/': 'One document' }}
          none="List"
          onChange={(end) => onPath(type.path + end)}
        />
      )}
      {type && documentId !== undefined && (
        <DelayedInput
          aria-label={idName}
          placeholder={idName}
          value={documentId}
          onCommit={(id) => onPath(`${type.path}/${encodeURIComponent(id)}`)}
        />
      )}
      {type?.hasDrafts && (
        <>
          <Select label="status" none="Published" options={{ draft: 'Drafts' }} {...bound('status')} />
          <Select
            label="publicationFilter"
            none="In any state"
            options={PUBLICATION_FILTERS}
            {...bound('publicationFilter')}
          />
        </>
      )}
      {type?.isLocalized && (
        <Select
          label="locale"
          none="Default locale"
          options={{ ...locales, '*': 'All locales' }}
          {...bound('locale')}
        />
      )}
      {isList && (
        <SearchBox label="_q" placeholder="Search …" value={bound('_q').value} onCommit={bound('_q').onChange} />
      )}
      {type && <Level uid={type.uid} isMany={isList} query={query} onChange={onChange} />}
      {isList && <Pagination query={query} onChange={onChange} />}
    </div>
  );
}
