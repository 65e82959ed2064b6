/**
 * @module The value of a condition, by the type of its attribute.
 */
import { type Attribute, NUMBER_TYPES } from '../model/attribute.ts';
import { DelayedInput } from '../ui/delayed-input.tsx';
import { Select } from '../ui/select.tsx';
import type { Condition } from './filters.ts';
import { takesList, takesNoValue } from './operators.ts';

const INPUTS: Readonly<Record<string, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' };

/** A control of local time has no zone; the API wants one. */
function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ValueProps {
  readonly attribute: Attribute | undefined;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Value({ attribute, label, value, onChange }: ValueProps) {
  const { type = 'string', enum: given = [] } = attribute ?? {};
  const choices = type === 'boolean' ? ['true', 'false'] : given;
  if (choices.length > 0) {
    const options = Object.fromEntries(choices.map((choice) => [choice, choice]));
    return <Select label={label} value={value} options={options} none="Choose …" onChange={onChange} />;
  }
  const isTime = type === 'datetime';
  return (
    <DelayedInput
      type={INPUTS[type] ?? 'text'}
      inputMode={NUMBER_TYPES.includes(type) ? 'decimal' : 'text'}
      aria-label={label}
      placeholder="Value"
      value={isTime ? localTime(value) : value}
      onCommit={(text) => onChange(isTime && text ? new Date(text).toISOString() : text)}
    />
  );
}

function labelsOf({ operator, values }: Condition): readonly string[] {
  if (operator === '$between') return ['From', 'To'];
  const isFull = values.at(-1) !== '';
  return takesList(operator) ? [...values, ...(isFull ? [''] : [])].map((_, index) => `Value ${index + 1}`) : ['Value'];
}

interface FilterValueProps {
  readonly condition: Condition;
  readonly attribute: Attribute | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

export function FilterValue({ condition, attribute, onChange }: FilterValueProps) {
  const { operator, values } = condition;
  if (takesNoValue(operator)) return null;
  return labelsOf(condition).map((label, index) => (
    <Value
      key={label}
      attribute={attribute}
      label={label}
      value={values[index] ?? ''}
      onChange={(value) => onChange(Object.assign([...values], { [index]: value }))}
    />
  ));
}
