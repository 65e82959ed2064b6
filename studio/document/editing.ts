/**
 * @module The form of one version: its values, what it was filled from, and what is to be sent.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import type { Issue } from '../api/send.ts';
import type { Attributes } from '../model/attribute.ts';
import { type ContentType, isAttributeLocalized, type Model, type Values } from '../model/model.ts';
import { readAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import {
  copiedValue,
  emptyValues,
  type FormValues,
  fromDocument,
  toBody,
  withoutPasswords,
} from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { validateValues } from './fields/validate.ts';
import { keepChanges, keptChanges, keyOfChanges } from './kept-changes.ts';
import { isNewAt, type Place, type ReadVersion } from './version.ts';

/** Milliseconds until a change is looked at. */
const DELAY = 200;

/** What is typed into an input for numbers may be none. */
const textOf = (value: unknown) => JSON.stringify(value, (_, inner) => (Number.isNaN(inner) ? 'NaN' : inner));

const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

/** Returns the values that a new version inherits from one in another locale. */
function sharedValues(model: Model, type: ContentType, attributes: Attributes, other: ReadVersion | null): FormValues {
  if (!other) return {};
  const shared = Object.entries(attributes).filter(([, attribute]) => !isAttributeLocalized(type, attribute));
  const values = fromDocument(model, Object.fromEntries(shared), other.document);
  return Object.fromEntries(
    shared.flatMap(([name, attribute]) => {
      const value = copiedValue(model, attribute, values[fieldName(name)]);
      return value === undefined ? [] : [[fieldName(name), value]];
    }),
  );
}

/** Returns the attributes that have other values. */
const changedOf = (attributes: Attributes, values: Values, base: Values): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !isSame(values[fieldName(name)], base[fieldName(name)])),
  );

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

interface RebaseOptions {
  /** The values that the version was saved with, else those of the last base: what was typed since then stays. */
  readonly sent?: FormValues | undefined;
  /** Values that were chosen by attribute, whatever was typed. */
  readonly chosen?: Values;
}

/**
 * @param layer number of forms below this one
 * @param other the version in another locale, where this one has no version
 */
export function useEditing(
  place: Place,
  attributes: Attributes,
  version: ReadVersion | null,
  isReadOnly: boolean,
  layer: number,
  other: ReadVersion | null,
) {
  const model = useModel();
  const [shared] = useState(() => sharedValues(model, place.type, attributes, other));
  /** What the form is filled from: its values, and the tag of the version; null for a new one. */
  const baseOf = (from: ReadVersion | null) => ({
    values: from ? fromDocument(model, attributes, from.document) : { ...emptyValues(model, attributes), ...shared },
    etag: from?.etag ?? null,
  });
  // The session may end before this form does.
  const key = useMemo(() => keyOfChanges(place, layer), [place, layer]);
  const [kept] = useState(() => (isReadOnly ? null : keptChanges(key)));
  const [base, drawBase] = useState(() => (kept ? { values: kept.base, etag: version && kept.etag } : baseOf(version)));
  // What is done next may begin before the page is drawn again.
  const latest = useRef(base);
  const setBase = (next: typeof base) => {
    latest.current = next;
    drawBase(next);
  };
  const [restored, setRestored] = useState(kept?.time ?? null);
  const resolver: Resolver<FormValues> = (values) => {
    const errors = validateValues(model, attributes, values, { isPublish: true }) as FieldErrors<FormValues>;
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  /** A value is checked when its field is left, and then with each key; all are once a save has found errors. */
  const [isChecked, setChecked] = useState(false);
  const mode = isChecked ? 'onChange' : 'onTouched';
  const form = useForm<FormValues>({ defaultValues: kept?.values ?? base.values, resolver, mode });
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
      // Passwords are not kept outside of the form.
      const shown = withoutPasswords(model, attributes, values);
      const current = { values: shown, base: base.values, etag, time: Date.now() };
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

  return {
    form,
    /** Follows the form a moment later, so that the page is not drawn with each key. */
    isChanged,
    /** Whether there is something to save: changes, or a document that is not there yet. */
    isUnsaved: () => version === null || !isEmpty(changed()),
    /** Whether the form has changes that leaving would take off the screen. */
    isLeftUnsaved: () => !isReadOnly && !isOver.current && !isEmpty(changed()),
    /** The time of the changes that an earlier visit left, in milliseconds; null if there were none. */
    restored,
    etag: () => latest.current.etag,
    /** Returns the changed values as a body has them, for a new document all. */
    body: () => {
      const values = form.getValues();
      const before = version ? latest.current.values : shared;
      return toBody(model, changedOf(attributes, values, before), values, before);
    },
    /** Returns whether the values may be saved, as a draft or published; shows what is wrong. */
    check: async (isPublish: boolean) => {
      if (isPublish) form.clearErrors();
      const names = Object.keys(validateValues(model, attributes, form.getValues(), { isPublish }));
      if (names.length === 0) return true;
      setChecked(true);
      await form.trigger(names);
      return false;
    },
    show: (issues: readonly Issue[]) => {
      setChecked(true);
      for (const { path, message } of issues) {
        const name = path.map((part) => (typeof part === 'string' ? fieldName(part) : part)).join('.');
        form.setError(name, { message });
      }
    },
    /** Takes a version as the new base. */
    rebase: (next: ReadVersion | null, { sent = latest.current.values, chosen = {} }: RebaseOptions = {}) => {
      const fresh = baseOf(next);
      setBase(fresh);
      setRestored(null);
      const current = form.getValues();
      for (const name of Object.keys(attributes)) {
        const field = fieldName(name);
        const merged = isSame(current[field], sent[field]) ? fresh.values[field] : current[field];
        const value = Object.hasOwn(chosen, name) ? chosen[name] : merged;
        if (!isSame(current[field], value)) form.setValue(field, value);
      }
      // The form may be closed already.
      if (isEmpty(changed())) keepChanges(key, null);
    },
    /** Takes the value of a former version, as if it were typed. Entries that are still there stay themselves. */
    take: (name: string, former: Values) => {
      const field = fieldName(name);
      const attribute = attributes[name];
      if (!attribute) return;
      const value = fromDocument(model, { [name]: attribute }, former)[field];
      form.setValue(field, copiedValue(model, attribute, value, latest.current.values[field]));
    },
    hasEnded: () => isOver.current,
    /** The document is deleted, or goes on at another address: no changes are kept. */
    end: () => {
      isOver.current = true;
      keepChanges(key, null);
    },
    /** @param to the version that the form begins anew with */
    discard: (to: ReadVersion | null = version) => {
      const fresh = baseOf(to);
      setBase(fresh);
      setRestored(null);
      form.reset(fresh.values);
    },
    /** Returns the attributes that another version changed, with values of the form. `isMine`: changed here as well. */
    clashesWith: (saved: ReadVersion) => {
      const base = latest.current.values;
      const theirs = baseOf(saved).values;
      const current = form.getValues();
      const changes = Object.entries(changedOf(attributes, theirs, base));
      return changes
        .map(([name, attribute]) => {
          const field = fieldName(name);
          const isMine = !isSame(current[field], base[field]);
          return { name, attribute, mine: current[field], theirs: theirs[field], isMine };
        })
        .filter((clash) => !isSame(clash.mine, clash.theirs));
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;
export type Clash = ReturnType<Editing['clashesWith']>[number];

/** The attributes of the form: those that a body may have, and, to be seen, those of a response. */
export function formAttributes(place: Place): Attributes {
  const { type } = place;
  const isNew = isNewAt(place);
  const written = isNew ? type.creatable : type.updatable;
  const read = new Set(isNew ? [] : readAttributes(type).map(([name]) => name));
  return Object.fromEntries(Object.entries(type.attributes).filter(([name]) => written.has(name) || read.has(name)));
}
