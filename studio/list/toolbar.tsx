/**
 * @module Search, version, locale, state, filters and columns of a list.
 */
import { editedStatus } from '../model/model.ts';
import { readableAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { Checks, DelayedInput, Select } from '../ui/inputs.tsx';
import { Popover } from '../ui/popups.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { readFilters } from './filters.ts';
import { PUBLICATION_FILTERS, statusOf } from './list-query.ts';
import type { List } from './use-list.ts';

function Columns({ list: { type, columns, change } }: { readonly list: List }) {
  const offered = readableAttributes(useModel(), type.uid).filter(([name]) => name !== type.titleAttribute);
  return (
    <Popover label="Columns" trigger={<Button icon="list">Columns</Button>}>
      <Checks
        names={offered.map(([name]) => name)}
        chosen={columns.map(([name]) => name)}
        onChange={(names) => change({ fields: [type.titleAttribute, ...names] })}
      />
      <Button look="quiet" onClick={() => change({ fields: undefined })}>
        As at first
      </Button>
    </Popover>
  );
}

export function Toolbar({ list }: { readonly list: List }) {
  const { type, query, change } = list;
  const { locales, defaultLocale } = useModel();
  const { length } = readFilters(query.filters).parts;
  const status = statusOf(type, query);
  const unfitting = status === 'draft' ? /^published-/ : /^never-/;
  const states = Object.entries(PUBLICATION_FILTERS).filter(
    ([key]) => !unfitting.test(key) && (type.isLocalized || !key.endsWith('-document')),
  );
  const set = (name: string, initially?: string) => (value: string) =>
    change({ [name]: value === '' || value === initially ? undefined : value });
  return (
    <div className="row">
      <DelayedInput
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
        <FilterBuilder uid={type.uid} filters={query.filters} onChange={(filters) => change({ filters })} />
      </Popover>
      {editedStatus(type) === 'draft' && (
        <>
          <Select
            label="Version"
            value={status}
            options={{ draft: 'Drafts', published: 'Published versions' }}
            onChange={(next) => change({ status: next === 'draft' ? undefined : next, publicationFilter: undefined })}
          />
          <Select
            label="State"
            value={String(query.publicationFilter ?? '')}
            options={Object.fromEntries(states)}
            none="In any state"
            onChange={set('publicationFilter')}
          />
        </>
      )}
      {type.isLocalized && (
        <Select
          label="Locale"
          value={String(query.locale ?? defaultLocale ?? '')}
          options={{ ...locales, '*': 'All locales' }}
          onChange={set('locale', defaultLocale)}
        />
      )}
      <Columns list={list} />
    </div>
  );
}
