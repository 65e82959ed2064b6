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
import { DelayedInput } from '../ui/delayed-input.tsx';
import { Popover } from '../ui/popover.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { readFilters } from './filters.ts';
import { PUBLICATION_FILTERS, statusOf } from './list-query.ts';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    {choices.map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </select>
);

interface ColumnsProps {
  readonly type: ContentType;
  readonly columns: readonly NamedAttribute[];
  readonly onChange: (names: readonly string[] | undefined) => void;
}

function Columns({ type, columns, onChange }: ColumnsProps) {
  const model = useModel();
  const chosen = columns.map(([name]) => name);
  const offered = readableAttributes(model, type.uid).filter(([name]) => name !== type.titleAttribute);
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <Popover label="Columns" trigger={<Button icon="list">Columns</Button>}>
      <div className="row">
        <h2>Columns</h2>
        <Button look="quiet" onClick={() => onChange(undefined)}>
          As at first
        </Button>
      </div>
      <div className="choices">
        {offered.map(([name, { type: kind }]) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {labelOf(name)} <span className="muted">{kind}</span>
          </label>
        ))}
      </div>
    </Popover>
  );
}

interface ToolbarProps {
  readonly type: ContentType;
  readonly query: Query;
  readonly columns: readonly NamedAttribute[];
  readonly searchRef: Ref<HTMLInputElement>;
  /** Changes the address; undefined removes a parameter. */
  readonly onChange: (patch: Query) => void;
}

export function Toolbar({ type, query, columns, searchRef, onChange }: ToolbarProps) {
  const { locales } = useModel();
  const { length } = readFilters(query.filters).parts;
  const locale = String(query.locale ?? locales.find(({ isDefault }) => isDefault)?.code ?? '');
  const states = Object.entries(PUBLICATION_FILTERS).filter(([key]) => type.isLocalized || !key.endsWith('-document'));
  return (
    <div className="toolbar">
      <DelayedInput
        ref={searchRef}
        type="search"
        className="search"
        aria-label={`Search ${type.name}`}
        aria-keyshortcuts="/"
        placeholder="Search …"
        value={String(query._q ?? '')}
        onCommit={(text) => onChange({ _q: text || undefined })}
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
        <Choice
          label="Version"
          value={statusOf(type, query)}
          choices={[
            ['draft', 'Drafts'],
            ['published', 'Published versions'],
          ]}
          onChange={(status) => onChange({ status: status === 'draft' ? undefined : status })}
        />
      )}
      {type.hasDrafts && (
        <Choice
          label="State"
          value={String(query.publicationFilter ?? '')}
          choices={[['', 'In any state'], ...states]}
          onChange={(value) => onChange({ publicationFilter: value || undefined })}
        />
      )}
      {type.isLocalized && (
        <Choice
          label="Locale"
          value={locale}
          choices={[...locales.map(({ code, name }) => [code, name] as const), ['*', 'All locales']]}
          onChange={(code) => onChange({ locale: code })}
        />
      )}
      <Columns type={type} columns={columns} onChange={(fields) => onChange({ fields })} />
    </div>
  );
}
