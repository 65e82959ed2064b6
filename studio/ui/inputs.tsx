/**
 * @module Controls of HTML with their labels.
 */
import {
  type ComponentProps,
  type ReactNode,
  type RefCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { labelOf } from '../model/attribute.ts';
import { chooseLanguage } from '../texts/language.ts';
import { LANGUAGES, language, text } from '../texts/text.ts';
import { Icon } from './button.tsx';

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export const Check = ({ label, isOn, onChange }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
);

interface ChecksProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A checkbox for each name of an attribute. */
export const Checks = ({ names, chosen, onChange }: ChecksProps) =>
  names.map((name) => (
    <Check
      key={name}
      label={labelOf(name)}
      isOn={chosen.includes(name)}
      onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((other) => other !== name))}
    />
  ));

interface SelectProps {
  readonly id?: string;
  readonly label: string;
  readonly value: string | undefined;
  /** Values with their names. */
  readonly options: Readonly<Record<string, string>>;
  /** The name of the choice `''`. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

export const Select = ({ id, label, value, options, none, onChange }: SelectProps) => (
  <select id={id} aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
    {none !== undefined && <option value="">{none}</option>}
    {Object.entries(options).map(([option, name]) => (
      <option key={option} value={option}>
        {name}
      </option>
    ))}
  </select>
);

const LANGUAGE_NAMES = Object.fromEntries(Object.entries(LANGUAGES).map(([code, [name]]) => [code, name]));

/** The page is loaded again in the language that is chosen. */
export const LanguageSelect = () => (
  <Select label={text('Language')} value={language()} options={LANGUAGE_NAMES} onChange={chooseLanguage} />
);

interface SyncedInputProps extends Omit<ComponentProps<'input'>, 'value' | 'ref'> {
  readonly value: string;
  readonly ref?: RefCallback<HTMLInputElement>;
}

/**
 * An input that is written only when it has another value. With the prop `value` React writes the attribute as well, and
 * in Firefox that empties the other parts of a date of which one is deleted.
 */
export function SyncedInput({ value, ref, ...rest }: SyncedInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <input
      {...rest}
      ref={(element) => {
        input.current = element;
        ref?.(element);
      }}
    />
  );
}

/** Milliseconds without a change until a text counts as typed. */
const PAUSE = 350;

/** Returns a value that follows another one after a pause. */
export function useDelayed<T>(value: T): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(value), PAUSE);
    return () => window.clearTimeout(timer);
  }, [value]);
  return late;
}

interface DelayedInputProps extends Omit<ComponentProps<'input'>, 'value' | 'ref' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onCommit: (value: string) => void;
}

export function DelayedInput({ label, value, onCommit, ...rest }: DelayedInputProps) {
  const [typed, setTyped] = useState(value);
  const [committed, setCommitted] = useState(value);
  const timer = useRef<number>(undefined);
  if (committed !== value) {
    setCommitted(value);
    setTyped(value);
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const commit = (next: string) => {
    window.clearTimeout(timer.current);
    if (next === value) return;
    setCommitted(next);
    onCommit(next);
  };
  const change = (next: string) => {
    setTyped(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => commit(next), PAUSE);
  };
  return (
    <SyncedInput
      aria-label={label}
      placeholder={label}
      {...rest}
      value={typed}
      onChange={(event) => change(event.target.value)}
      onBlur={() => commit(typed)}
      onKeyDown={(event) => event.key === 'Enter' && commit(typed)}
    />
  );
}

interface FieldProps {
  /** `id` of the control; of a group, that of its label. */
  readonly id: string;
  readonly label: string;
  /** Behind the label. */
  readonly badge?: string | undefined;
  readonly isRequired?: boolean;
  /** Is the value the same in all locales? */
  readonly isShared?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** For what is no single control of HTML. */
  readonly isGroup?: boolean;
  /** Beside the label of a group. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** The control names `${id}-hint` and `${id}-error` in `aria-describedby`: see `describedBy`. */
export function Field({
  id,
  label,
  badge,
  isRequired = false,
  isShared = false,
  hint,
  error,
  isGroup = false,
  aside,
  children,
}: FieldProps) {
  const name = (
    <>
      {label}
      {badge && <span className="badge">{badge}</span>}
      {isRequired && (
        <span className={error ? 'danger' : 'muted'} title={text('required')}>
          {' '}
          *
        </span>
      )}
      {isShared && (
        <span className="shared" title={text('Shared by all locales')}>
          <Icon name="globe" />
        </span>
      )}
    </>
  );
  const group = { role: 'group', 'aria-labelledby': id, 'aria-describedby': `${id}-error ${id}-hint` };
  return (
    <div className="stack field" {...(isGroup && group)}>
      {isGroup ? (
        <div className="row">
          <span className="label" id={id}>
            {name}
          </span>
          {aside}
        </div>
      ) : (
        <label className="label" htmlFor={id}>
          {name}
        </label>
      )}
      {children}
      {error && (
        <p className="danger small" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {/* What is wrong says the rule again. */}
      {(hint || isShared) && !error && (
        <p className={hint ? 'muted small' : 'unseen'} id={`${id}-hint`}>
          {hint} {isShared && <span className="unseen">{text('Shared by all locales')}</span>}
        </p>
      )}
    </div>
  );
}

/** Attributes of a control in a `Field`. */
export const describedBy = (id: string, error?: string) => ({
  id,
  'aria-describedby': error ? `${id}-error ${id}-hint` : `${id}-hint`,
  'aria-invalid': error !== undefined,
});
