/**
 * @module Conditions, and groups of them. Each change is reported as `filters` of a request.
 */
import { useState } from 'react';
import type { Query } from '../api/query-string.ts';
import { isPopulated } from '../model/attribute.ts';
import type { ContentType } from '../model/model.ts';
import { attributeAt } from '../model/readable.ts';
import { useModel } from '../shell/model-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { FilterValue } from './filter-value.tsx';
import { type Condition, type Group, group, type Part, readFilters, writeFilters } from './filters.ts';
import { OPERATORS, operatorsOf } from './operators.ts';
import { isPassable, PathSelect } from './path-select.tsx';

interface PartProps<P extends Part> {
  readonly uid: string;
  readonly part: P;
  readonly onChange: (part: P) => void;
}

function ConditionRow({ uid, part, onChange }: PartProps<Condition>) {
  const model = useModel();
  const { path, operator, values } = part;
  const attribute = attributeAt(model, uid, path);
  const operators = operatorsOf(attribute);
  const choosePath = (next: readonly string[]) => {
    const [first = '$eq', ...others] = operatorsOf(attributeAt(model, uid, next));
    const isKept = attribute && !isPopulated(attribute) && others.includes(operator);
    onChange({ ...part, path: next, operator: isKept ? operator : first, values: [] });
  };
  return (
    <>
      <PathSelect uid={uid} path={path} label="Attribute" accepts={isPassable} here="itself" onChange={choosePath} />
      <select
        aria-label="Operator"
        value={operator}
        onChange={(event) => onChange({ ...part, operator: event.target.value })}
      >
        {!operators.includes(operator) && <option>{operator}</option>}
        {operators.map((name) => (
          <option key={name} value={name}>
            {`${OPERATORS[name]} · ${name}`}
          </option>
        ))}
      </select>
      <FilterValue condition={part} attribute={attribute} onChange={(next) => onChange({ ...part, values: next })} />
    </>
  );
}

function PartRow({ uid, part, onChange }: PartProps<Part>) {
  if (part.kind === 'group') return <GroupRows uid={uid} part={part} onChange={onChange} />;
  if (part.kind === 'raw') return <pre className="filter-raw">{JSON.stringify(part.filters, null, 1)}</pre>;
  return <ConditionRow uid={uid} part={part} onChange={onChange} />;
}

function GroupRows({ uid, part, onChange }: PartProps<Group>) {
  const { types } = useModel();
  const { logic, parts } = part;
  const change = (next: readonly Part[]) => onChange({ ...part, parts: next });
  const first = titleOperator(types.get(uid));
  return (
    <fieldset className="filter-group">
      <legend className="hidden">Conditions</legend>
      {(parts.length > 1 || logic !== 'and') && (
        <select
          aria-label="Which conditions hold"
          value={logic}
          onChange={(event) => onChange({ ...part, logic: event.target.value as Group['logic'] })}
        >
          <option value="and">All of these hold</option>
          <option value="or">At least one of these holds</option>
          <option value="not">Not all of these hold</option>
        </select>
      )}
      {parts.map((inner, index) => (
        <div key={index} className="filter-part">
          <div className="filter-controls">
            <PartRow uid={uid} part={inner} onChange={(next) => change(parts.with(index, next))} />
          </div>
          <IconButton icon="close" label="Remove the condition" onClick={() => change(parts.toSpliced(index, 1))} />
        </div>
      ))}
      <div className="row">
        <Button look="quiet" icon="add" onClick={() => change([...parts, first])}>
          Condition
        </Button>
        <Button look="quiet" icon="add" onClick={() => change([...parts, group('or', [first])])}>
          Group
        </Button>
      </div>
    </fieldset>
  );
}

function titleOperator(type: ContentType | undefined): Condition {
  const name = type?.titleAttribute ?? 'documentId';
  const [operator = '$eq'] = operatorsOf(type?.attributes[name]);
  return { kind: 'condition', path: [name], operator, values: [] };
}

interface FilterBuilderProps {
  readonly uid: string;
  readonly filters: unknown;
  readonly onChange: (filters: Query | undefined) => void;
}

/** Conditions that are not complete yet are kept here; filters that come from elsewhere replace all of them. */
export function FilterBuilder({ uid, filters, onChange }: FilterBuilderProps) {
  const [root, setRoot] = useState(() => readFilters(filters));
  const [seen, setSeen] = useState(() => JSON.stringify(filters));
  const given = JSON.stringify(filters);
  if (given !== seen) {
    setSeen(given);
    if (given !== JSON.stringify(writeFilters(root))) setRoot(readFilters(filters));
  }
  const change = (next: Group) => {
    setRoot(next);
    const before = JSON.stringify(writeFilters(root));
    const written = writeFilters(next);
    if (JSON.stringify(written) !== before) onChange(written);
  };
  return <GroupRows uid={uid} part={root} onChange={change} />;
}
