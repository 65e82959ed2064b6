/**
 * @module Conditions, and groups of them. Each change is reported as `filters` of a request.
 */
import { type HTMLInputTypeAttribute, useState } from 'react';
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import type { Query } from '../api/query-string.ts';
import { type Attribute, isPopulated } from '../model/attribute.ts';
import type { ContentType } from '../model/model.ts';
import { attributeAt } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { type Text, text, textsOf } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { DelayedInput, Select } from '../ui/inputs.tsx';
import { localTime } from '../ui/texts.ts';
import { namedType } from './filter-words.ts';
import {
  type FilterCondition,
  type FilterPart,
  type Group,
  group,
  offeredOperator,
  operatorLabel,
  operatorsOf,
  readFilters,
  takesList,
  takesNoValue,
  writeFilters,
} from './filters.ts';
import { PathSelect } from './path-select.tsx';
import { TargetValue } from './target-value.tsx';

interface ValueInput {
  readonly type: HTMLInputTypeAttribute;
  readonly inputMode?: 'decimal';
  /** A control of local time has no zone; the API wants one. */
  readonly isLocalTime?: true;
  /** The values that are chosen, as the API reads them, with their names. */
  readonly choices?: Readonly<Record<string, Text>>;
}

const PLAIN: ValueInput = { type: 'text' };

const INPUTS: Readonly<Record<AttributeType, ValueInput>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'json', 'blocks'], PLAIN),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], { ...PLAIN, inputMode: 'decimal' } as const),
  boolean: { ...PLAIN, choices: { true: 'Yes', false: 'No' } },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime-local', isLocalTime: true },
  ...sameFor(['relation', 'media', 'component', 'dynamiczone'], PLAIN),
};

interface ValueProps {
  readonly attribute: Attribute | undefined;
  /** The type of a document that is named by its id. */
  readonly target: ContentType | undefined;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Value({ attribute, target, label, value, onChange }: ValueProps) {
  if (target) return <TargetValue type={target} label={label} value={value} onChange={onChange} />;
  const { enum: given = [] } = attribute ?? {};
  const { choices, isLocalTime, ...input } = INPUTS[attribute?.type ?? 'string'];
  if (choices || given.length > 0) {
    const options = choices ? textsOf(choices) : Object.fromEntries(given.map((choice) => [choice, choice]));
    return <Select label={label} value={value} options={options} none={text('Choose …')} onChange={onChange} />;
  }
  return (
    <DelayedInput
      {...input}
      label={label}
      placeholder={text('Value')}
      value={isLocalTime ? localTime(value) : value}
      onCommit={(typed) => onChange(isLocalTime && typed ? new Date(typed).toISOString() : typed)}
    />
  );
}

/** Returns the names of the values that a condition has, and may have. */
function labelsOf({ operator, values }: FilterCondition): readonly string[] {
  if (takesNoValue(operator)) return [];
  if (operator === '$between') return [text('From'), text('To')];
  const isFull = values.at(-1) !== '';
  const places = takesList(operator) ? [...values, ...(isFull ? [''] : [])] : undefined;
  return places?.map((_, index) => text('Value {place}', { place: index + 1 })) ?? [text('Value')];
}

interface PartProps<P extends FilterPart> {
  readonly uid: string;
  readonly part: P;
  readonly onChange: (part: P) => void;
}

function ConditionRow({ uid, part, onChange }: PartProps<FilterCondition>) {
  const model = useModel();
  const { operator, values } = part;
  const target = namedType(model, uid, part);
  const path = target ? part.path.slice(0, -1) : part.path;
  const attribute = attributeAt(model, uid, path);
  const shown = offeredOperator(attribute, operator);
  const operators = [...new Set([...operatorsOf(attribute), shown])];
  const set = (next: readonly string[], chosen: string, kept: readonly string[]) => {
    const changed = { ...part, path: next, operator: chosen, values: kept };
    const named = { ...changed, path: [...next, 'documentId'] };
    onChange(namedType(model, uid, named) ? named : changed);
  };
  const choosePath = (next: readonly string[]) => {
    const others = operatorsOf(attributeAt(model, uid, next));
    const isKept = attribute && !isPopulated(attribute) && others.includes(shown);
    set(next, isKept ? operator : (others[0] ?? '$eq'), []);
  };
  return (
    <>
      <PathSelect uid={uid} path={path} label={text('Attribute')} none={text('itself')} onChange={choosePath} />
      <Select
        label={text('Operator')}
        value={shown}
        options={Object.fromEntries(operators.map((name) => [name, operatorLabel(attribute, name)]))}
        onChange={(next) => set(path, next, values)}
      />
      {labelsOf(part).map((label, index) => (
        <Value
          key={label}
          attribute={attribute}
          target={target}
          label={label}
          value={values[index] ?? ''}
          onChange={(value) => onChange({ ...part, values: Object.assign([...values], { [index]: value }) })}
        />
      ))}
    </>
  );
}

function PartRow({ uid, part, onChange }: PartProps<FilterPart>) {
  if (part.kind === 'group') return <GroupRows uid={uid} part={part} onChange={onChange} />;
  if (part.kind === 'raw') return <pre>{JSON.stringify(part.filters, null, 1)}</pre>;
  return <ConditionRow uid={uid} part={part} onChange={onChange} />;
}

const LOGIC = { and: 'All of these hold', or: 'At least one of these holds', not: 'Not all of these hold' } as const;

function GroupRows({ uid, part, onChange }: PartProps<Group>) {
  const { types } = useModel();
  const { logic, parts } = part;
  const type = types.get(uid);
  const name = type?.titleAttribute ?? 'documentId';
  const [operator = '$eq'] = operatorsOf(type?.attributes[name]);
  const first: FilterCondition = { kind: 'condition', path: [name], operator, values: [] };
  const change = (next: readonly FilterPart[]) => onChange({ ...part, parts: next });
  return (
    <div className="stack grow filter-parts">
      {(parts.length > 1 || logic !== 'and') && (
        <Select
          label={text('Which conditions hold')}
          value={logic}
          options={textsOf(LOGIC)}
          onChange={(next) => onChange({ ...part, logic: next as Group['logic'] })}
        />
      )}
      {parts.map((inner, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place, and keeps the focus when it changes
        <div key={index} className="row nowrap top indented">
          <div className="stack grow filter-parts">
            <PartRow uid={uid} part={inner} onChange={(next) => change(parts.with(index, next))} />
          </div>
          <IconButton
            icon="close"
            label={text('Remove the condition')}
            onClick={() => change(parts.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div className="row">
        <Button label={text('Condition')} look="quiet" icon="add" onClick={() => change([...parts, first])} />
        <Button
          label={text('Group')}
          look="quiet"
          icon="add"
          onClick={() => change([...parts, group('or', [first])])}
        />
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
