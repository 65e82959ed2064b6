/**
 * @module The controls of a request, from its target to its pages.
 */
import type { Query } from '../api/query-string.ts';
import { PUBLICATION_FILTERS } from '../list/list-query.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { DelayedInput } from '../ui/delayed-input.tsx';
import { Select } from '../ui/select.tsx';
import type { Explored } from './request-state.ts';
import { Level } from './selection.tsx';

/** Ways to ask for a page, with the parameters of each. */
const MODES: Readonly<Record<string, readonly [label: string, names: readonly string[], initial: Query | undefined]>> =
  {
    '': ['Pages as they are by default', [], undefined],
    page: ['By page', ['page', 'pageSize'], { page: 1, pageSize: 10 }],
    start: ['By offset', ['start', 'limit'], { start: 0, limit: 10 }],
    after: ['By cursor', ['after', 'limit'], { after: '', limit: 10 }],
  };

function Pagination({
  value,
  onChange,
}: {
  readonly value: Query;
  readonly onChange: (value: Query | undefined) => void;
}) {
  const mode =
    ['page', 'start', 'after'].find((name) => value[name] !== undefined) ??
    (value.pageSize ? 'page' : value.limit ? 'start' : '');
  const labels = Object.fromEntries(Object.entries(MODES).map(([key, [label]]) => [key, label]));
  return (
    <>
      <Select label="Pagination" value={mode} options={labels} onChange={(next) => onChange(MODES[next]?.[2])} />
      {MODES[mode]?.[1].map((name) => (
        <div key={name} className="check-label">
          <code>{name}</code>
          <DelayedInput
            aria-label={name}
            value={String(value[name] ?? '')}
            onCommit={(text) => onChange({ ...value, [name]: text === '' && name !== 'after' ? undefined : text })}
          />
        </div>
      ))}
      <label className="check-label">
        <input
          type="checkbox"
          checked={String(value.withCount) !== 'false'}
          onChange={({ target }) =>
            onChange({ ...value, withCount: target.checked ? (mode === 'after' ? true : undefined) : false })
          }
        />
        with count
      </label>
    </>
  );
}

interface ControlsProps {
  readonly explored: Explored;
  /** Another path begins another request. */
  readonly onPath: (path: string) => void;
  readonly onChange: (patch: Query) => void;
}

function Target({ explored: { type, documentId }, onPath }: Omit<ControlsProps, 'onChange'>) {
  const types = [...useModel().types.values()];
  const names = Object.fromEntries(types.map(({ path, name }) => [path, name]));
  return (
    <>
      <Select label="Content type" value={type?.path ?? ''} options={names} none="Choose …" onChange={onPath} />
      {type?.kind === 'collectionType' && (
        <Select
          label="List or document"
          value={documentId === undefined ? 'list' : 'one'}
          options={{ list: 'List', one: 'One document' }}
          onChange={(kind) => onPath(kind === 'list' ? type.path : `${type.path}/`)}
        />
      )}
      {type && documentId !== undefined && (
        <DelayedInput
          aria-label="documentId"
          placeholder="documentId"
          value={documentId}
          onCommit={(id) => onPath(`${type.path}/${encodeURIComponent(id)}`)}
        />
      )}
    </>
  );
}

function Versions({
  type,
  query,
  onChange,
}: {
  readonly type: ContentType;
  readonly query: Query;
  readonly onChange: (patch: Query) => void;
}) {
  const { locales } = useModel();
  const set = (name: string) => (value: string) => onChange({ [name]: value || undefined });
  const codes = Object.fromEntries(locales.map(({ code, name }) => [code, name]));
  return (
    <>
      {type.hasDrafts && (
        <>
          <Select
            label="Status"
            value={String(query.status ?? '')}
            none="Any status: published"
            options={{ draft: 'Draft', published: 'Published' }}
            onChange={set('status')}
          />
          <Select
            label="Publication filter"
            value={String(query.publicationFilter ?? '')}
            none="In any state"
            options={PUBLICATION_FILTERS}
            onChange={set('publicationFilter')}
          />
        </>
      )}
      {type.isLocalized && (
        <Select
          label="Locale"
          value={String(query.locale ?? '')}
          none="Default locale"
          options={{ ...codes, '*': 'All locales' }}
          onChange={set('locale')}
        />
      )}
    </>
  );
}

export function Controls({ explored, onPath, onChange }: ControlsProps) {
  const { type, query, documentId } = explored;
  const isList = type?.kind === 'collectionType' && documentId === undefined;
  return (
    <div className="controls stack">
      <Target explored={explored} onPath={onPath} />
      {type && <Versions type={type} query={query} onChange={onChange} />}
      {isList && (
        <DelayedInput
          type="search"
          aria-label="Search (_q)"
          placeholder="Search (_q)"
          value={String(query._q ?? '')}
          onCommit={(text) => onChange({ _q: text || undefined })}
        />
      )}
      {type && <Level uid={type.uid} isMany={isList} query={query} onChange={onChange} />}
      {isList && (
        <Pagination value={(query.pagination ?? {}) as Query} onChange={(pagination) => onChange({ pagination })} />
      )}
    </div>
  );
}
