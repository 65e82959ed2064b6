/**
 * @module Conditions, and groups of them. Each change is reported as `filters` of a request.
 */
import { useState } from 'react';
import type { Query } from '../api/query-string.ts';
import { isPopulated } from '../model/attribute.ts';
import { attributeAt } from '../model/readable.ts';
import { useModel } from '../shell/model-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { FilterValue } from './filter-value.tsx';
import { type Condition, type Group, group, type Part, readFilters, writeFilters } from './filters.ts';
import { operatorLabel, operatorsOf } from './operators.ts';
import { PathSelect } from './path-select.tsx';

interface PartProps<P extends Part> {
  readonly uid: string;
  readonly part: P;
  readonly onChange: (part: P) => void;
}

function ConditionRow({ uid, part, onChange }: PartProps<Condition>) {
  const model = useModel();
  const { path, operator } = part;
  const attribute = attributeAt(model, uid, path);
  const operators = [...new Set([...operatorsOf(attribute), operator])];
  const choosePath = (next: readonly string[]) => {
    const [first = '$eq', ...others] = operatorsOf(attributeAt(model, uid, next));
    const isKept = attribute && !isPopulated(attribute) && others.includes(operator);
    onChange({ ...part, path: next, operator: isKept ? operator : first, values: [] });
  };
  return (
    <>
      <PathSelect uid={uid} path={path} label="Attribute" none="itself" onChange={choosePath} />
      <Select
        label="Operator"
        value={operator}
        options={Object.fromEntries(operators.map((name) => [name, operatorLabel(name)]))}
        onChange={(next) => onChange({ ...part, operator: next })}
      />
      <FilterValue condition={part} attribute={attribute} onChange={(values) => onChange({ ...part, values })} />
    </>
  );
}

function PartRow({ uid, part, onChange }: PartProps<Part>) {
  if (part.kind === 'group') return <GroupRows uid={uid} part={part} onChange={onChange} />;
  if (part.kind === 'raw') return <pre>{JSON.stringify(part.filters, null, 1)}</pre>;
  return <ConditionRow uid={uid} part={part} onChange={onChange} />;
}

const LOGIC = { and: 'All of these hold', or: 'At least one of these holds', not: 'Not all of these hold' };

function GroupRows({ uid, part, onChange }: PartProps<Group>) {
  const { types } = useModel();
  const { logic, parts } = part;
  const type = types.get(uid);
  const name = type?.titleAttribute ?? 'documentId';
  const [operator = '$eq'] = operatorsOf(type?.attributes[name]);
  const first: Condition = { kind: 'condition', path: [name], operator, values: [] };
  const change = (next: readonly Part[]) => onChange({ ...part, parts: next });
  return (
    <div className="filter-parts">
      {(parts.length > 1 || logic !== 'and') && (
        <Select
          label="Which conditions hold"
          value={logic}
          options={LOGIC}
          onChange={(next) => onChange({ ...part, logic: next as Group['logic'] })}
        />
      )}
      {parts.map((inner, index) => (
        <div key={`${index}`} className="level filter-part">
          <div className="filter-parts">
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
    </div>
  );
}

interface FilterBuilderProps {
  readonly uid: string;
  readonly filters: unknown;
  readonly onChange: (filters: Query | undefined) => void;
}

/** Conditions that are not complete yet are kept here; filters that come from elsewhere replace all of them. */
export function FilterBuilder({ uid, filters, onChange }: FilterBuilderProps) {
  const [root, setRoot] = useState(() => readFilters(filters));
  const given = JSON.stringify(filters);
  const [seen, setSeen] = useState(given);
  if (given !== seen) {
    setSeen(given);
    if (given !== JSON.stringify(writeFilters(root))) setRoot(readFilters(filters));
  }
  const change = (next: Group) => {
    setRoot(next);
    const written = writeFilters(next);
    if (JSON.stringify(written) !== JSON.stringify(writeFilters(root))) onChange(written);
  };
  return <GroupRows uid={uid} part={root} onChange={change} />;
}
