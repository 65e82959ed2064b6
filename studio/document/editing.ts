/**
 * @module The form of one version: its values, what it was filled from, and what is to be sent.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import type { Issue } from '../api/request.ts';
import type { Attributes } from '../model/attribute.ts';
import type { Model, Values } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import type { Clash } from './comparison.tsx';
import { emptyValues, type FormValues, fromDocument, toBody } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { validateValues } from './fields/validate.ts';
import { keepChanges, keptChanges, keyOfChanges } from './kept-changes.ts';
import { isNewAt, type Place, type Version } from './version.ts';

/** What the form was filled from: its values then, and the tag of the version; null for a new document. */
interface Base {
  readonly values: FormValues;
  readonly etag: string | null;
}

/** Milliseconds until a change is looked at. */
const DELAY = 200;

/** What is typed into an input for numbers may be none. */
const textOf = (value: unknown) => JSON.stringify(value, (_, inner) => (Number.isNaN(inner) ? 'NaN' : inner));

const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

const baseOf = (model: Model, attributes: Attributes, version: Version | null): Base => ({
  values: version ? fromDocument(model, attributes, version.document) : emptyValues(model, attributes),
  etag: version?.etag ?? null,
});

/** Returns the attributes that have other values. */
const changedOf = (attributes: Attributes, values: Values, base: Values): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !isSame(values[fieldName(name)], base[fieldName(name)])),
  );

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** Passwords are not kept outside of the form. */
const withoutPasswords = (attributes: Attributes, values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => attributes[name]?.type !== 'password'));

export interface Editing {
  readonly form: UseFormReturn<FormValues>;
  /** Follows the form a moment later, so that the page is not drawn with each key. */
  readonly isChanged: boolean;
  /** Whether there is something to save: changes, or a document that is not there yet. */
  readonly isUnsaved: () => boolean;
  /** The time of the changes that an earlier visit left, in milliseconds; null if there were none. */
  readonly restored: number | null;
  readonly etag: () => string | null;
  /** Returns the changed values as a body has them, for a new document all. */
  readonly body: () => Values;
  /** Returns whether the values may be saved, as a draft or published; shows what is wrong. */
  readonly check: (isPublish: boolean) => Promise<boolean>;
  readonly show: (issues: readonly Issue[]) => void;
  /**
   * Takes a version as the new base. Whatever was typed since the last one stays.
   * @param sent the values that the version was saved with; what was typed since then stays
   */
  readonly rebase: (version: Version | null, sent?: FormValues) => void;
  /** The document is deleted, or goes on at another address: no changes are kept. */
  readonly end: () => void;
  readonly hasEnded: () => boolean;
  /** @param to the version that the form begins anew with */
  readonly discard: (to?: Version | null) => void;
  readonly clashesWith: (version: Version) => readonly Clash[];
  /** Takes another version as the base, with values chosen of both. */
  readonly settle: (version: Version, chosen: Values) => void;
}

export function useEditing(
  place: Place,
  attributes: Attributes,
  version: Version | null,
  isReadOnly: boolean,
): Editing {
  const model = useModel();
  // The session may end before this form does.
  const key = useMemo(() => keyOfChanges(place), [place]);
  const [kept] = useState(() => (isReadOnly ? null : keptChanges(key)));
  const [base, drawBase] = useState<Base>(() =>
    kept ? { values: kept.base, etag: version && kept.etag } : baseOf(model, attributes, version),
  );
  // What is done next may begin before the page is drawn again.
  const latest = useRef(base);
  const setBase = (next: Base) => {
    latest.current = next;
    drawBase(next);
  };
  const [restored, setRestored] = useState(kept?.time ?? null);
  const resolver: Resolver<FormValues> = (values) => {
    const errors = validateValues(model, attributes, values, { isPublish: true }) as FieldErrors<FormValues>;
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  const form = useForm<FormValues>({ defaultValues: kept?.values ?? base.values, resolver, mode: 'onChange' });
  const isOver = useRef(false);
  const [isChanged, setChanged] = useState(kept !== null);
  const changed = () => changedOf(attributes, form.getValues(), latest.current.values);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      const values = form.getValues();
      const isDifferent = !isEmpty(changedOf(attributes, values, base.values));
      setChanged(isDifferent);
      if (isReadOnly || isOver.current) return;
      const { etag } = base;
      const current = { values: withoutPasswords(attributes, values), base: base.values, etag, time: Date.now() };
      keepChanges(key, isDifferent ? current : null);
    };
    look();
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        timer ??= setTimeout(look, DELAY);
      },
    });
    return () => {
      unsubscribe();
      if (timer === undefined) return;
      clearTimeout(timer);
      look();
    };
  }, [form, key, model, attributes, base, isReadOnly]);

  const fill = (next: Values) => {
    const current = form.getValues();
    for (const name of Object.keys(attributes).map(fieldName)) {
      if (!isSame(current[name], next[name])) form.setValue(name, next[name]);
    }
  };
  const show = (issues: readonly Issue[]) => {
    for (const [index, { path, message }] of issues.entries()) {
      const name = path.map((part) => (typeof part === 'string' ? fieldName(part) : part)).join('.');
      form.setError(name, { message }, { shouldFocus: index === 0 });
    }
  };

  return {
    form,
    isChanged,
    isUnsaved: () => version === null || !isEmpty(changed()),
    restored,
    etag: () => latest.current.etag,
    body: () => {
      const values = form.getValues();
      const before = version ? latest.current.values : {};
      return toBody(model, changedOf(attributes, values, before), values, before);
    },
    check: async (isPublish) => {
      if (isPublish) return form.trigger(undefined, { shouldFocus: true });
      const errors = validateValues(model, attributes, form.getValues(), { isPublish: false });
      if (Object.keys(errors).length === 0) return true;
      await form.trigger(Object.keys(errors), { shouldFocus: true });
      return false;
    },
    show,
    rebase: (next, sent = latest.current.values) => {
      const fresh = baseOf(model, attributes, next);
      setBase(fresh);
      setRestored(null);
      const current = form.getValues();
      fill(
        Object.fromEntries(
          Object.keys(fresh.values).map((name) => [
            name,
            isSame(current[name], sent[name]) ? fresh.values[name] : current[name],
          ]),
        ),
      );
      // The form may be closed already.
      if (isEmpty(changed())) keepChanges(key, null);
    },
    hasEnded: () => isOver.current,
    end: () => {
      isOver.current = true;
      keepChanges(key, null);
    },
    discard: (to = version) => {
      const fresh = baseOf(model, attributes, to);
      setBase(fresh);
      setRestored(null);
      form.reset(fresh.values);
    },
    clashesWith: (other) => {
      const theirs = baseOf(model, attributes, other).values;
      const current = form.getValues();
      return Object.entries(attributes)
        .map(([name, attribute]) => ({ name, attribute, field: fieldName(name) }))
        .filter(
          ({ field }) => !isSame(theirs[field], latest.current.values[field]) && !isSame(theirs[field], current[field]),
        )
        .map(({ name, attribute, field }) => ({
          name,
          attribute,
          mine: current[field],
          theirs: theirs[field],
          isMine: !isSame(current[field], latest.current.values[field]),
        }));
    },
    settle: (other, chosen) => {
      const fresh = baseOf(model, attributes, other);
      const current = form.getValues();
      const named = Object.entries(chosen).map(([name, value]) => [fieldName(name), value] as const);
      const own = Object.keys(changed()).map((name) => [fieldName(name), current[fieldName(name)]] as const);
      setBase(fresh);
      fill({ ...fresh.values, ...Object.fromEntries(own), ...Object.fromEntries(named) });
    },
  };
}

/** The attributes of the form: those that a body may have, and, to be seen, those of a response. */
export function formAttributes(place: Place): Attributes {
  const { type } = place;
  const isNew = isNewAt(place);
  const written = isNew ? type.creatable : type.updatable;
  return Object.fromEntries(
    Object.entries(type.attributes).filter(([name]) => written.has(name) || (!isNew && type.shown.has(name))),
  );
}
