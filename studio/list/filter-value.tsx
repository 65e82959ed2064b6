/**
 * @module The value of a condition, by the type of its attribute.
 */
import { type Attribute, NUMBER_TYPES } from '../model/attribute.ts';
import { DelayedInput } from '../ui/delayed-input.tsx';
import type { Condition } from './filters.ts';
import { takesList, takesNoValue } from './operators.ts';

interface ValueProps {
  readonly attribute: Attribute | undefined;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The browser's control of local time has no zone; the API wants one. */
function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Value({ attribute, label, value, onChange }: ValueProps) {
  const { type = 'string', enum: choices = [] } = attribute ?? {};
  if (type === 'enumeration' || type === 'boolean') {
    return (
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose …</option>
        {(type === 'boolean' ? ['true', 'false'] : choices).map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  if (type === 'datetime') {
    const change = (text: string) => onChange(text === '' ? '' : new Date(text).toISOString());
    return (
      <input
        type="datetime-local"
        aria-label={label}
        value={localTime(value)}
        onChange={(event) => change(event.target.value)}
      />
    );
  }
  const kind = type === 'date' ? 'date' : type === 'time' ? 'time' : 'text';
  return (
    <DelayedInput
      type={kind}
      inputMode={NUMBER_TYPES.includes(type) ? 'decimal' : 'text'}
      aria-label={label}
      placeholder="Value"
      value={value}
      onCommit={onChange}
    />
  );
}

interface FilterValueProps {
  readonly condition: Condition;
  readonly attribute: Attribute | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

export function FilterValue({ condition: { operator, values }, attribute, onChange }: FilterValueProps) {
  if (takesNoValue(operator)) return null;
  const set = (index: number, value: string) => onChange(Object.assign([...values], { [index]: value }));
  if (operator === '$between') {
    return (
      <>
        <Value attribute={attribute} label="From" value={values[0] ?? ''} onChange={(value) => set(0, value)} />
        <Value attribute={attribute} label="To" value={values[1] ?? ''} onChange={(value) => set(1, value)} />
      </>
    );
  }
  if (!takesList(operator)) {
    return <Value attribute={attribute} label="Value" value={values[0] ?? ''} onChange={(value) => set(0, value)} />;
  }
  const shown = values.length === 0 || values[values.length - 1] !== '' ? [...values, ''] : values;
  return (
    <>
      {shown.map((value, index) => (
        <Value
          key={index}
          attribute={attribute}
          label={`Value ${index + 1}`}
          value={value}
          onChange={(text) => set(index, text)}
        />
      ))}
    </>
  );
}
