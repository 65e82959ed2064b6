/**
 * @module Inputs of one control: texts, uids, numbers, moments and choices, and those with an
 * editor of their own, which is loaded when one is first shown.
 */
import slugify from '@sindresorhus/slugify';
import {
  type HTMLInputTypeAttribute,
  type InputHTMLAttributes,
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useWatch } from 'react-hook-form';
import { labelOf } from '../../model/attribute.ts';
import { text } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, SyncedInput } from '../../ui/inputs.tsx';
import { Loading } from '../../ui/states.tsx';
import { localTime } from '../../ui/texts.ts';
import { fieldName, type InputProps } from './owner.ts';
import { inputText, useInput, useText } from './use-input.ts';

interface Changed {
  readonly target: { readonly value: string };
}

interface LineProps extends InputProps {
  readonly type?: HTMLInputTypeAttribute;
  readonly autoComplete?: string;
}

function LineInput({ type = 'text', autoComplete = 'off', ...props }: LineProps) {
  const { value, setText, field, control } = useText(props);
  const change = ({ target }: Changed) => setText(target.value);
  return (
    <Field {...field}>
      <input {...control} value={value} type={type} autoComplete={autoComplete} onChange={change} />
    </Field>
  );
}

export const TextInput = (props: InputProps) => <LineInput {...props} />;
export const EmailInput = (props: InputProps) => <LineInput {...props} type="email" />;
export const PasswordInput = (props: InputProps) => (
  <LineInput {...props} type="password" autoComplete="new-password" />
);

export function AreaInput(props: InputProps) {
  const { value, setText, field, control } = useText(props);
  return (
    <Field {...field}>
      <textarea {...control} value={value} rows={4} onChange={({ target }) => setText(target.value)} />
    </Field>
  );
}

/** While the version is new, a uid follows the attribute that it is made from. */
export function UidInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const { value, setText, field, control } = useText(props);
  const { targetField: target, maxLength } = attribute;
  const source = useWatch({ name: path.replace(/[^.]*$/, fieldName(target ?? '')), disabled: target === undefined });
  const slug = slugify(inputText(source)).slice(0, maxLength);
  const made = useRef('');
  const follows = !owner.isStored && !owner.isReadOnly && value === made.current && slug !== value;
  useEffect(() => {
    if (!follows) return;
    made.current = slug;
    setText(slug);
  });
  return (
    <Field {...field}>
      <div className="row nowrap">
        <input {...control} value={value} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        {target && (
          <Button
            label={text('From {attribute}', { attribute: labelOf(target).toLowerCase() })}
            disabled={slug === '' || slug === value}
            onClick={() => setText(slug)}
          />
        )}
      </div>
    </Field>
  );
}

function isoTime(text: string): string | null {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** How a value is written in an input of HTML. `read` gets no empty text. */
interface Notation {
  readonly input: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'step' | 'inputMode'>;
  readonly show: (value: unknown) => string;
  readonly read: (text: string) => unknown;
}

interface NotationProps extends InputProps {
  readonly notation: Notation;
  /** More words of the hint. */
  readonly hint?: string;
}

/** Shows what was typed as long as it means the value of the form. */
function NotationInput({ notation: { input, show, read }, hint, ...props }: NotationProps) {
  const { value, setValue, field, control } = useInput(props, hint);
  const [typed, setTyped] = useState(() => show(value));
  const meant = (text: string) => (text.trim() === '' ? null : read(text));
  const change = ({ target }: Changed) => {
    setTyped(target.value);
    setValue(meant(target.value));
  };
  return (
    <Field {...field}>
      <SyncedInput
        {...control}
        {...input}
        autoComplete="off"
        value={Object.is(meant(typed), value ?? null) ? typed : show(value)}
        onChange={change}
      />
    </Field>
  );
}

const NUMBER: Notation = {
  input: { type: 'text', step: 1, inputMode: 'decimal' },
  show: inputText,
  // What is no number stays the text that was typed, which validation rejects.
  read: (text) => (Number.isFinite(Number(text)) ? Number(text) : text),
};
const DATE: Notation = { input: { type: 'date' }, show: inputText, read: (text) => text };
const TIME: Notation = {
  input: { type: 'time', step: 1 },
  show: (value) => inputText(value).replace(/\.000$/, ''),
  read: (text) => `${text}${'00:00:00.000'.slice(text.length)}`,
};
const DATE_TIME: Notation = {
  input: { type: 'datetime-local', step: 1 },
  show: (value) => localTime(inputText(value)),
  read: isoTime,
};

export const NumberInput = (props: InputProps) => <NotationInput {...props} notation={NUMBER} />;
export const DateInput = (props: InputProps) => <NotationInput {...props} notation={DATE} />;
export const TimeInput = (props: InputProps) => <NotationInput {...props} notation={TIME} />;

export function DateTimeInput(props: InputProps) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return <NotationInput {...props} notation={DATE_TIME} hint={text('in {zone}', { zone })} />;
}

/** A switch has no third position: a value that may be missing is taken away by a button. */
export function SwitchInput(props: InputProps) {
  const { value, setValue, field, control } = useInput(props);
  const isSet = typeof value === 'boolean';
  const word = isSet ? text(value ? 'Yes' : 'No') : inputText(value) || text('Not set');
  return (
    <Field {...field}>
      <div className="row nowrap">
        <input
          {...control}
          type="checkbox"
          role="switch"
          className={isSet ? 'switch' : 'switch unset'}
          aria-checked={value === true}
          checked={value === true}
          onChange={({ target }) => setValue(target.checked)}
        />
        <span className={isSet ? '' : 'muted'}>{word}</span>
        {isSet && !props.attribute.required && (
          <IconButton icon="close" label={text('Clear {name}', { name: field.label })} onClick={() => setValue(null)} />
        )}
      </div>
    </Field>
  );
}

export function ChoiceInput(props: InputProps) {
  const { value, setValue, field, control } = useInput(props);
  const { enum: choices = [], required } = props.attribute;
  const index = choices.indexOf(value as string);
  return (
    <Field {...field}>
      <select {...control} value={index} onChange={({ target }) => setValue(choices[Number(target.value)] ?? null)}>
        {(!required || index < 0) && (
          <option value={-1}>
            {index < 0 && inputText(value) ? text('{value} (no choice)', { value: inputText(value) }) : '–'}
          </option>
        )}
        {choices.map((choice, place) => (
          <option key={choice} value={place}>
            {choice}
          </option>
        ))}
      </select>
    </Field>
  );
}

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));
const BlocksEditor = lazy(async () => ({ default: (await import('./blocks-editor.tsx')).BlocksEditor }));
const MarkdownEditor = lazy(async () => ({ default: (await import('./markdown-editor.tsx')).MarkdownEditor }));

export function BlocksInput(props: InputProps) {
  const { value, setValue, field, editor } = useInput(props);
  return (
    <Field {...field} isGroup>
      <Suspense fallback={<Loading />}>
        <BlocksEditor value={value} onChange={setValue} {...editor} />
      </Suspense>
    </Field>
  );
}

export function JsonInput(props: InputProps) {
  const { value, setText, field, editor } = useText(props);
  return (
    <Field {...field} isGroup>
      <Suspense fallback={<Loading />}>
        <CodeEditor value={value} isJson onChange={setText} {...editor} />
      </Suspense>
    </Field>
  );
}

export function MarkdownInput(props: InputProps) {
  const { value, setText, field, editor } = useText(props);
  const [isPreview, setPreview] = useState(false);
  const toggle = (
    <Button label={text('Preview')} look="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)} />
  );
  return (
    <Field {...field} isGroup aside={toggle}>
      <Suspense fallback={<Loading />}>
        <MarkdownEditor value={value} owner={props.owner} isPreview={isPreview} onChange={setText} {...editor} />
      </Suspense>
    </Field>
  );
}
