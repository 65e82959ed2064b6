/**
 * @module An attribute in the form: its value, and its label, rules and error.
 */
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { type FieldError, get, useController, useFormContext, useFormState } from 'react-hook-form';
import { labelOf } from '../../model/attribute.ts';
import { isAttributeLocalized } from '../../model/model.ts';
import { type Text, text } from '../../texts/text.ts';
import { describedBy } from '../../ui/inputs.tsx';
import { isList } from './entries.ts';
import type { EditorProps, InputProps } from './owner.ts';

type Bound = number | string | undefined;

function between(min: Bound, max: Bound, [atMost, atLeast, both]: readonly [Text, Text, Text]): string | false {
  const values = { min: String(min), max: String(max), count: Number(max ?? min) };
  if (min === undefined) return max !== undefined && text(atMost, values);
  return text(max === undefined ? atLeast : both, values);
}

const CHARACTERS = [
  'at most {max} character | at most {max} characters',
  'at least {min} character | at least {min} characters',
  '{min} to {max} characters',
] as const;
const ENTRIES = [
  'at most {max} entry | at most {max} entries',
  'at least {min} entry | at least {min} entries',
  '{min} to {max} entries',
] as const;
const VALUES = ['at most {max}', 'at least {min}', '{min} to {max}'] as const;

function hintOf({ attribute }: InputProps, more: string | undefined): string {
  const { min, max, minLength, maxLength, regex, unique } = attribute;
  const parts = [
    between(minLength, maxLength, CHARACTERS),
    between(min, max, isList(attribute) ? ENTRIES : VALUES),
    regex && text('matches {regex}', { regex }),
    unique && text('unique'),
    more,
  ];
  const hint = parts.filter(Boolean).join(' · ');
  return hint.charAt(0).toUpperCase() + hint.slice(1);
}

const isShared = ({ path, attribute, owner: { type } }: InputProps): boolean =>
  type.isLocalized && !path.includes('.') && !isAttributeLocalized(type, attribute);

/** Returns what a `Field` shows. @param more words of the hint */
export function useField(props: InputProps, more?: string) {
  const id = useId();
  const { errors } = useFormState({ name: props.path });
  const found: FieldError | undefined = get(errors, props.path);
  const error = found?.root?.message ?? found?.message;
  return {
    id,
    label: labelOf(props.name),
    badge: props.attribute.private ? text('private') : undefined,
    isRequired: props.attribute.required === true,
    isShared: isShared(props),
    hint: hintOf(props, more),
    error: typeof error === 'string' ? error : undefined,
  };
}

/** A message that comes or goes as a button of the mouse is down moves the page, and the click would miss. */
const whenReleased = (act: () => void) => (): void => {
  if (document.querySelector(':active')) window.addEventListener('mouseup', () => setTimeout(act), { once: true });
  else act();
};

/** `control`: attributes of the control in the field. `editor`: props of an editor that is none of HTML. */
export function useInput(props: InputProps, more?: string) {
  const { value, onChange, ref, onBlur: leave } = useController({ name: props.path }).field;
  const onBlur = whenReleased(leave);
  const field = useField(props, more);
  const [start] = useState<unknown>(value);
  // A value that no response shows stays as it is when what was typed is taken back.
  const setValue = (next: unknown): void => onChange(next === null && start === undefined ? undefined : next);
  const { id, label, error } = field;
  const control = { ...describedBy(id, error), ref, onBlur };
  const { getValues } = useFormContext();
  const current = () => getValues(props.path);
  const editor: EditorProps = { label, error, isReadOnly: props.owner.isReadOnly === true, current, onBlur };
  return { value: value as unknown, setValue, field, control, editor };
}

/**
 * For editors with a text of their own, which have the focus perhaps: takes each value that the form did not get from them,
 * such as what another user has saved.
 * @param value the rendered one
 * @param isKnown whether the editor has a value already
 */
export function useOutsideValue<T>(
  value: T,
  current: () => T,
  isKnown: (value: T) => boolean,
  take: (value: T) => void,
): void {
  const latest = useRef({ current, isKnown, take });
  latest.current = { current, isKnown, take };
  // biome-ignore lint/correctness/useExhaustiveDependencies(value): each rendered value is compared with the editor's
  useLayoutEffect(() => {
    const now = latest.current.current();
    if (!latest.current.isKnown(now)) latest.current.take(now);
  }, [value]);
}

export const inputText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The value as a text. An emptied one is what it was if that was none, an empty text too; else null. */
export function useText(props: InputProps) {
  const { value, setValue, ...rest } = useInput(props);
  const [start] = useState(value);
  const setText = (typed: string) => setValue(typed === '' ? (start ? null : start) : typed);
  return { ...rest, value: inputText(value), setText };
}
