/**
 * @module The form of one version: its values, what it was filled from, and what is to be sent.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import type { Issue } from '../api/send.ts';
import { session } from '../api/session.ts';
import type { Attribute, Attributes } from '../model/attribute.ts';
import { isAttributeLocalized, type Values } from '../model/model.ts';
import { readAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { entriesOf } from './fields/entries.ts';
import {
  changedOf,
  copiedValue,
  emptyValues,
  type FormValues,
  fromDocument,
  isSame,
  toBody,
  withoutPasswords,
  writtenValue,
} from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { validateValues } from './fields/validate.ts';
import { holdChanges, holderOf, keepChanges, keptChanges, keyOfChanges } from './kept-changes.ts';
import { merge, sharedValues } from './merged-values.ts';
import { isNewAt, type Place } from './place.ts';
import type { ReadVersion } from './version.ts';

/** Milliseconds until a change is looked at. */
const DELAY = 200;

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** What a form is filled from. */
interface Base {
  readonly values: FormValues;
  /** Tag of the version; null: there was none. */
  readonly etag: string | null;
  /** Tag of the version in another locale that values are inherited from. */
  readonly inherited?: string | undefined;
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
  const { type, locale } = place;
  const baseOf = (from: ReadVersion | null): Base => ({
    values: from
      ? fromDocument(model, attributes, from.document)
      : { ...emptyValues(model, attributes), ...sharedValues(model, type, attributes, other) },
    etag: from?.etag ?? null,
    inherited: from ? undefined : other?.etag,
  });
  // The session may end before this form does.
  const [owner] = useState(session);
  const key = useMemo(() => keyOfChanges(place, layer, owner), [place, layer, owner]);
  /** For what is kept: a later form may have the same key. */
  const [thisForm] = useState(() => Symbol());
  const [start] = useState(() => {
    const fresh = baseOf(version);
    const kept = isReadOnly ? null : keptChanges(key);
    if (!kept) return { base: fresh, values: fresh.values, time: null };
    if (version) return { base: { values: kept.base, etag: kept.etag }, values: kept.values, time: kept.time };
    const merged = (from?: Values) => merge(attributes, kept.values, kept.base, fresh.values, from);
    return { base: { ...fresh, values: merged(kept.base) }, values: merged(), time: kept.time };
  });
  const [base, drawBase] = useState<Base>(start.base);
  // What is done next may begin before the page is drawn again.
  const latest = useRef({ base, key, version, outdated: null as ReadVersion | null });
  Object.assign(latest.current, { key, version });
  const setBase = (next: Base) => {
    latest.current.base = next;
    drawBase(next);
  };
  const [restored, setRestored] = useState(start.time);
  const resolver: Resolver<FormValues> = (values) => {
    const errors = validateValues(model, attributes, values, { isPublish: true }) as FieldErrors<FormValues>;
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  /** A value is checked when its field is left, and then with each key; all are once a save has found errors. */
  const [isChecked, setChecked] = useState(false);
  const mode = isChecked ? 'onChange' : 'onTouched';
  const form = useForm<FormValues>({ defaultValues: start.values, resolver, mode });
  const isOver = useRef(false);
  const isMoving = useRef(false);
  const [isChanged, setChanged] = useState(start.time !== null);
  const changed = useCallback(
    () => changedOf(attributes, form.getValues(), latest.current.base.values),
    [attributes, form],
  );

  /** Keeps what is not saved at this place. */
  const keep = useCallback(() => {
    if (isReadOnly || isOver.current || holderOf(key) !== thisForm) return;
    // Passwords are not kept outside of the form.
    const shown = (values: Values) => withoutPasswords(model, attributes, values);
    const { values, etag } = latest.current.base;
    const changes = { values: shown(form.getValues()), base: shown(values), etag, time: Date.now(), locale };
    keepChanges(key, isEmpty(changed()) ? null : changes);
  }, [isReadOnly, model, attributes, key, thisForm, form, changed, locale]);

  // biome-ignore lint/correctness/useExhaustiveDependencies(base): another base has other changes
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      setChanged(!isEmpty(changed()));
      keep();
    };
    holdChanges(key, thisForm);
    look();
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        timer ??= setTimeout(look, DELAY);
      },
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
      const isMoved = latest.current.key !== key;
      if (isMoved && holderOf(key) === thisForm) keepChanges(key, null);
      if (!isMoved && timer !== undefined) look();
    };
  }, [form, key, thisForm, base, changed, keep]);

  /** The attributes that the caller may write. */
  const writable = () => {
    const written = isNewAt(place) ? type.creatable : type.updatable;
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => written.has(name)));
  };

  /** Whether a value that all locales share waits until the version is there, and has what they share then. */
  const isLater = (attribute: Attribute): boolean => {
    const { etag, inherited } = latest.current.base;
    return etag === null && inherited !== undefined && !isAttributeLocalized(type, attribute);
  };
  const laterOf = (all: Attributes, isMeant = true): Attributes =>
    Object.fromEntries(Object.entries(all).filter(([, attribute]) => isLater(attribute) === isMeant));

  return {
    form,
    /** Follows the form a moment later, so that the page is not drawn with each key. */
    isChanged,
    /** Whether there is something to save: changes, or a version that is not there yet. */
    isUnsaved: () => latest.current.base.etag === null || !isEmpty(changed()),
    /** Whether the form has changes that leaving would take off the screen. */
    isLeftUnsaved: () => !isReadOnly && !isOver.current && !isEmpty(changed()),
    /** The time of the changes that an earlier visit left, in milliseconds; null if there were none. */
    restored,
    etag: () => latest.current.base.etag,
    /** Whether what was read is another version than the form is filled from, or gives another one other values. */
    isOther: (read: ReadVersion | null) => {
      const { outdated, base } = latest.current;
      return read
        ? read !== outdated && read.etag !== base.etag
        : version === null && base.etag === null && base.inherited !== other?.etag;
    },
    /** Whether a save makes a locale, and what was changed here for all locales waits for the next one. */
    savesLater: () => !isEmpty(laterOf(changedOf(writable(), form.getValues(), latest.current.base.values))),
    /**
     * Returns the changed values as a body has them. A new version gets all that are its own; those that all locales share
     * stay unless they were changed here.
     */
    body: () => {
      const values = form.getValues();
      const { etag, values: from } = latest.current.base;
      const isInherited = (attribute: Attribute) =>
        type.isLocalized && !isNewAt(place) && !isAttributeLocalized(type, attribute);
      const before = Object.fromEntries(
        Object.entries(attributes)
          .filter(([, attribute]) => etag !== null || isInherited(attribute))
          .map(([name]) => [fieldName(name), from[fieldName(name)]]),
      );
      return toBody(model, laterOf(changedOf(writable(), values, before), false), values, before);
    },
    /** Returns whether the values may be saved, as a draft or published; shows what is wrong. */
    check: async (isPublish: boolean) => {
      if (isPublish) form.clearErrors();
      const names = Object.keys(validateValues(model, writable(), form.getValues(), { isPublish }));
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
    /** Takes what was sent as the new base: it is stored, whatever fails afterwards. */
    saved: (values: FormValues, etag: string | null) => {
      latest.current.outdated = latest.current.version;
      const before = latest.current.base.values;
      const later = Object.keys(laterOf(attributes)).map((name) => [fieldName(name), before[fieldName(name)]]);
      setBase({ values: { ...values, ...Object.fromEntries(later) }, etag });
      keep();
    },
    /**
     * Takes a version as the new base: what was typed since the last one stays. Where there is no version yet, so does what
     * it was typed over, for the save to compare.
     * @param chosen values that were chosen by attribute, whatever was typed
     */
    rebase: (next: ReadVersion | null, chosen: Values = {}) => {
      const fresh = baseOf(next);
      const current = form.getValues();
      const { values: before } = latest.current.base;
      const merged = merge(attributes, current, before, fresh.values);
      // No key may come between the values and the inputs that show them.
      flushSync(() => {
        setBase(next ? fresh : { ...fresh, values: merge(attributes, current, before, fresh.values, before) });
        if (next) setRestored(null);
        for (const name of Object.keys(attributes)) {
          const field = fieldName(name);
          const value = Object.hasOwn(chosen, name) ? chosen[name] : merged[field];
          if (!isSame(current[field], value)) form.setValue(field, value);
        }
      });
      // The form may be closed already.
      keep();
    },
    /** Takes the value of a former version, as if it were typed. Entries that are still there stay themselves. */
    take: (name: string, former: Values) => {
      const field = fieldName(name);
      const attribute = attributes[name];
      if (!attribute) return;
      const value = fromDocument(model, { [name]: attribute }, former)[field];
      form.setValue(field, copiedValue(model, attribute, value, latest.current.base.values[field]));
    },
    hasEnded: () => isOver.current,
    /** Whether another place is opened for the same form, and the layers over it: nothing is left there. */
    isMoving: () => isMoving.current,
    /** Calls what opens the place where the document goes on in this form. */
    move: (open: () => void) => {
      isMoving.current = true;
      open();
      isMoving.current = false;
    },
    /** No changes are kept here any more. @param at where the document is, to which what was typed since belongs */
    end: (at?: Place) => {
      isOver.current = true;
      const to = at && keyOfChanges(at, 0, owner);
      // Forms that were opened since have changes of their own, here and there.
      if (holderOf(key) !== thisForm || (to && holderOf(to))) return;
      if (to) keepChanges(to, keptChanges(key));
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
      const before = latest.current.base.values;
      const theirs = baseOf(saved).values;
      const current = form.getValues();
      return Object.entries(attributes).flatMap(([name, attribute]) => {
        const field = fieldName(name);
        // What no response shows is not compared. Entries that the form has sent, or inherited, have no ids yet.
        const isNew = entriesOf(before[field]).every(({ id }) => id === undefined);
        const [was, mine, stored] = [before, current, theirs].map((values) =>
          writtenValue(model, attribute, values[field], isNew),
        );
        if (theirs[field] === undefined || isSame(stored, was) || isSame(stored, mine)) return [];
        return { name, attribute, mine: current[field], theirs: theirs[field], isMine: !isSame(mine, was) };
      });
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
