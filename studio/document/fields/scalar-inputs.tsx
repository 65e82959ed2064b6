/**
 * @module Inputs of one control: texts, numbers, moments and choices.
 */
import { useState } from 'react';
import { Control, useInput } from './frame.tsx';
import type { InputProps } from './owner.ts';

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** An emptied text is null, unless it was an empty text. */
export function useText(value: unknown, setValue: (value: unknown) => void) {
  const [wasEmpty] = useState(value === '');
  return { value: textOf(value), setText: (text: string) => setValue(text === '' && !wasEmpty ? null : text) };
}

const INPUT_TYPES: Readonly<Record<string, string>> = { email: 'email', password: 'password' };

export function TextInput(props: InputProps) {
  const { value: held, setValue, frame, control } = useInput(props);
  const { value, setText } = useText(held, setValue);
  const { type } = props.attribute;
  return (
    <Control frame={frame}>
      {type === 'text' ? (
        <textarea {...control} value={value} rows={4} onChange={(event) => setText(event.target.value)} />
      ) : (
        <input
          {...control}
          type={INPUT_TYPES[type] ?? 'text'}
          inputMode={type === 'biginteger' ? 'numeric' : undefined}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          value={value}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Control>
  );
}

interface Notation {
  readonly show: (value: unknown) => string;
  readonly read: (text: string) => unknown;
}

/** Shows what was typed as long as it means the value of the form. */
function useNotation({ show, read }: Notation, value: unknown, setValue: (value: unknown) => void) {
  const [typed, setTyped] = useState(() => show(value));
  const shown = Object.is(read(typed), value ?? null) ? typed : show(value);
  return {
    value: shown,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setTyped(target.value);
      setValue(read(target.value));
    },
  };
}

const NUMBER: Notation = {
  show: textOf,
  read: (text) => (text.trim() === '' ? null : Number(text)),
};

export function NumberInput(props: InputProps) {
  const { value, setValue, frame, control } = useInput(props);
  const notation = useNotation(NUMBER, value, setValue);
  return (
    <Control frame={frame}>
      <input {...control} {...notation} type="text" inputMode="decimal" autoComplete="off" className="short" />
    </Control>
  );
}

const pad = (number: number, length = 2): string => String(number).padStart(length, '0');

function localTime(value: unknown): string {
  const time = new Date(String(value));
  if (value === null || value === undefined || Number.isNaN(time.getTime())) return '';
  const day = `${pad(time.getFullYear(), 4)}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
  return `${day}T${clock}${time.getMilliseconds() > 0 ? `.${pad(time.getMilliseconds(), 3)}` : ''}`;
}

function isoTime(text: string): string | null {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const MOMENTS: Readonly<Record<string, Notation & { readonly input: string }>> = {
  date: { input: 'date', show: textOf, read: (text) => text || null },
  time: {
    input: 'time',
    show: (value) => textOf(value).replace(/\.000$/, ''),
    read: (text) => (text === '' ? null : `${text}${'00:00:00.000'.slice(text.length)}`),
  },
  datetime: { input: 'datetime-local', show: localTime, read: isoTime },
};

export function MomentInput(props: InputProps) {
  const { input, ...notation } = MOMENTS[props.attribute.type] ?? { input: 'text', ...NUMBER };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { value, setValue, frame, control } = useInput(props, input === 'datetime-local' ? [`in ${zone}`] : []);
  const shown = useNotation(notation, value, setValue);
  return (
    <Control frame={frame}>
      <input {...control} {...shown} type={input} step={input === 'date' ? undefined : 1} className="short" />
    </Control>
  );
}

interface Choice {
  readonly value: unknown;
  readonly label: string;
}

const BOOLEANS: readonly Choice[] = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
];

export function ChoiceInput(props: InputProps) {
  const { value = null, setValue, frame, control } = useInput(props);
  const { type, enum: values = [], required } = props.attribute;
  const choices = type === 'boolean' ? BOOLEANS : values.map((each) => ({ value: each, label: each }));
  const index = choices.findIndex((choice) => choice.value === value);
  return (
    <Control frame={frame}>
      <select
        {...control}
        className="short"
        value={index}
        onChange={(event) => setValue(choices[Number(event.target.value)]?.value ?? null)}
      >
        {(!required || index < 0) && (
          <option value={-1}>{index < 0 && value !== null ? `${String(value)} (no choice)` : '—'}</option>
        )}
        {choices.map(({ label }, place) => (
          <option key={label} value={place}>
            {label}
          </option>
        ))}
      </select>
    </Control>
  );
}
