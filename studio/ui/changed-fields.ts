/**
 * @module The fields of a form of HTML that another user may change as well.
 */
import { type FormEvent, useRef } from 'react';

export type Fields = Readonly<Record<string, string>>;

/** @param stored what was read last, by the names of the fields */
export function useChangedFields(stored: Fields) {
  /** What was stored as each field began to differ: it may be read again meanwhile. */
  const began = useRef<Fields>({});
  const typedIn = useRef<HTMLFormElement>(null);
  const from = (): Fields => ({ ...stored, ...began.current });
  const changed = (sent: FormData): Fields => {
    const before = from();
    const values = [...sent].map(([name, value]) => [name, String(value)] as const);
    return Object.fromEntries(values.filter(([name, value]) => value !== before[name]));
  };
  return {
    /** For the form. */
    onInput: ({ target }: FormEvent) => {
      const { name, form } = target as HTMLInputElement;
      typedIn.current = form;
      began.current = { [name]: stored[name] ?? '', ...began.current };
    },
    /** Returns the fields that have other values than those that they began with. */
    changed,
    /** Whether the form has such fields now. */
    isChanged: (): boolean =>
      typedIn.current !== null && Object.keys(changed(new FormData(typedIn.current))).length > 0,
    /** Whether another user has changed one of these fields since. Asked again, it is since then. */
    isOther: (changed: Fields, now: Fields): boolean => {
      const names = Object.keys(changed);
      const before = from();
      began.current = { ...began.current, ...Object.fromEntries(names.map((name) => [name, now[name] ?? ''])) };
      return names.some((name) => now[name] !== before[name]);
    },
    /** Begins anew with fields that are stored. */
    saved: (changed: Fields) => {
      const others = Object.entries(began.current).filter(([name]) => changed[name] === undefined);
      began.current = Object.fromEntries(others);
    },
  };
}
