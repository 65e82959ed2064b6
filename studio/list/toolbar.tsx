/**
 * @module Search, version, locale, state, filters and columns of a list.
 */
import type { Ref } from 'react';
import type { Query } from '../api/query-string.ts';
import { labelOf } from '../model/attribute.ts';
import type { ContentType } from '../model/model.ts';
import { type NamedAttribute, readableAttributes } from '../model/readable.ts';
import { editedStatus } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { DelayedInput } from '../ui/delayed-input.tsx';
import { Popover } from '../ui/popover.tsx';
import { Select } from '../ui/select.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { readFilters } from './filters.ts';
import { PUBLICATION_FILTERS, statusOf } from './list-query.ts';

interface ToolbarProps {
  readonly type: ContentType;
  readonly query: Query;
  readonly columns: readonly NamedAttribute[];
  readonly searchRef: Ref<HTMLInputElement>;
  /** Changes the address; undefined removes a parameter. */
  readonly onChange: (patch: Query) => void;
}

function Columns({ type, columns, onChange }: Omit<ToolbarProps, 'searchRef' | 'query'>) {
  const chosen = columns.map(([name]) => name);
  const offered = readableAttributes(useModel(), type.uid).filter(([name]) => name !== type.titleAttribute);
  const toggle = (name: string, isOn: boolean) =>
    onChange({ fields: isOn ? [...chosen, name] : chosen.filter((other) => other !== name) });
  return (
    <Popover label="Columns" trigger={<Button icon="list">Columns</Button>}>
      {offered.map(([name]) => (
        <Check key={name} label={labelOf(name)} isOn={chosen.includes(name)} onChange={(isOn) => toggle(name, isOn)} />
      ))}
      <Button look="quiet" onClick={() => onChange({ fields: undefined })}>
        As at first
      </Button>
    </Popover>
  );
}

export function Toolbar({ type, query, columns, searchRef, onChange }: ToolbarProps) {
  const { locales } = useModel();
  const { length } = readFilters(query.filters).parts;
  const initial = locales.find(({ isDefault }) => isDefault)?.code;
  const names = Object.fromEntries(locales.map(({ code, name }) => [code, name]));
  const states = Object.entries(PUBLICATION_FILTERS).filter(([key]) => type.isLocalized || !key.endsWith('-document'));
  const set = (name: string, initially?: string) => (value: string) =>
    onChange({ [name]: value === '' || value === initially ? undefined : value });
  return (
    <div className="toolbar">
      <DelayedInput
        ref={searchRef}
        type="search"
        aria-label={`Search ${type.name}`}
        aria-keyshortcuts="/"
        placeholder="Search …"
        value={String(query._q ?? '')}
        onCommit={set('_q')}
      />
      <Popover
        label="Filters"
        trigger={
          <Button icon="filter" className={length > 0 ? 'current' : ''}>
            Filters{length > 0 && ` (${length})`}
          </Button>
        }
      >
        <FilterBuilder uid={type.uid} filters={query.filters} onChange={(filters) => onChange({ filters })} />
      </Popover>
      {editedStatus(type) === 'draft' && (
        <Select
          label="Version"
          value={statusOf(type, query)}
          options={{ draft: 'Drafts', published: 'Published versions' }}
          onChange={set('status', 'draft')}
        />
      )}
      {type.hasDrafts && (
        <Select
          label="State"
          value={String(query.publicationFilter ?? '')}
          options={Object.fromEntries(states)}
          none="In any state"
          onChange={set('publicationFilter')}
        />
      )}
      {type.isLocalized && (
        <Select
          label="Locale"
          value={String(query.locale ?? initial ?? '')}
          options={{ ...names, '*': 'All locales' }}
          onChange={set('locale', initial)}
        />
      )}
      <Columns type={type} columns={columns} onChange={onChange} />
    </div>
  );
}
