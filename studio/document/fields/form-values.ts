/**
 * @module Documents → values of the form, and values of the form → the body of a request.
 */
import { sameFor } from '../../../src/common/same-for.ts';
import type { AttributeType } from '../../../src/schema/model.ts';
import { attempt } from '../../api/query-string.ts';
import {
  type Attribute,
  type Attributes,
  isNeverShown,
  isPassword,
  isPolymorphic,
  isToMany,
} from '../../model/attribute.ts';
import type { Model, Values } from '../../model/model.ts';
import { attributesOf, componentOf, entriesOf, isList } from './entries.ts';
import { fieldName } from './owner.ts';

export type FormValues = Record<string, unknown>;

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the attributes that have other values. */
export const changedOf = (attributes: Attributes, values: Values, base: Values): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !isSame(values[fieldName(name)], base[fieldName(name)])),
  );

/** Leaves out what is undefined. */
const mapped = (
  attributes: Attributes,
  rename: (name: string) => string,
  convert: (attribute: Attribute, name: string) => unknown,
): FormValues =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = convert(attribute, name);
      return value === undefined ? [] : [[rename(name), value]];
    }),
  );

/** The parts of an entry that are no attributes. */
const identity = ({ id, __component }: Values): FormValues => ({
  ...(id !== undefined && { id }),
  ...(__component !== undefined && { __component }),
});

function fromValue(model: Model, attribute: Attribute, value: unknown): unknown {
  if (value === undefined) return undefined;
  return FORMS[attribute.type].from(model, attribute, value);
}

function fromEntries(model: Model, attribute: Attribute, value: unknown): unknown {
  const entries = entriesOf(value).map((entry) => ({
    ...identity(entry),
    ...fromDocument(model, attributesOf(model, componentOf(attribute, entry)), entry),
  }));
  return isList(attribute) ? entries : (entries[0] ?? null);
}

/** Returns the values of the form; what the response does not show is missing. */
export const fromDocument = (model: Model, attributes: Attributes, document: Values): FormValues =>
  mapped(attributes, fieldName, (attribute, name) =>
    fromValue(model, attribute, Object.hasOwn(document, name) ? document[name] : undefined),
  );

/** @param above components around the attribute: one that requires itself has no entry to begin with. */
function emptyValue(model: Model, attribute: Attribute, above: readonly unknown[]): unknown {
  return isList(attribute)
    ? []
    : FORMS[attribute.type].empty(attribute, (uid) => (above.includes(uid) ? null : entryOf(model, uid, above)));
}

/** Returns the values of a new document: defaults, and nothing else. */
export const emptyValues = (model: Model, attributes: Attributes): FormValues => emptyWithin(model, attributes, []);

const emptyWithin = (model: Model, attributes: Attributes, above: readonly unknown[]): FormValues =>
  mapped(attributes, fieldName, (attribute) => emptyValue(model, attribute, above));

const entryOf = (model: Model, component: unknown, above: readonly unknown[]): FormValues =>
  emptyWithin(model, attributesOf(model, component), [...above, component]);

/** @param __component of an entry of a dynamic zone */
export const newEntry = (model: Model, component: unknown, __component?: string): FormValues => ({
  ...identity({ __component }),
  ...entryOf(model, component, []),
});

const isSameEntry = (a: Values) => (b: Values) => a.id === b.id && a.__component === b.__component;

/** Returns a copy of an entry that will be stored as a new one. @param same the stored one that it will be instead */
export function copyOf(model: Model, attribute: Attribute, { id, ...entry }: Values, same?: Values): FormValues {
  const attributes = attributesOf(model, componentOf(attribute, entry));
  const copied = (each: Attribute, name: string) => {
    const value = copiedValue(model, each, entry[fieldName(name)], same?.[fieldName(name)]);
    // What is not shown is not copied: the new entry begins without it.
    return value === undefined && !same && isNeverShown(each) ? emptyValue(model, each, []) : value;
  };
  return { ...identity(same ? { ...entry, id } : entry), ...mapped(attributes, fieldName, copied) };
}

/** Returns a value of the form with copies of the entries in it. @param stored the value whose entries stay themselves */
export function copiedValue(model: Model, attribute: Attribute, value: unknown, stored?: unknown): unknown {
  if ((attribute.type !== 'component' && attribute.type !== 'dynamiczone') || !value) return value;
  const copies = entriesOf(value).map((item) =>
    copyOf(model, attribute, item, entriesOf(stored).find(isSameEntry(item))),
  );
  return isList(attribute) ? copies : copies[0];
}

/** Returns the values without passwords, those of components included. */
export const withoutPasswords = (model: Model, attributes: Attributes, values: Values): FormValues =>
  mapped(attributes, fieldName, (attribute, name) => {
    const value = values[fieldName(name)];
    if (isPassword(attribute)) return undefined;
    if ((attribute.type !== 'component' && attribute.type !== 'dynamiczone') || !value) return value;
    const entries = entriesOf(value).map((entry) => ({
      ...identity(entry),
      ...withoutPasswords(model, attributesOf(model, componentOf(attribute, entry)), entry),
    }));
    return isList(attribute) ? entries : entries[0];
  });

type Reference = string | number | { readonly __type: unknown; readonly documentId: unknown };

function referenceOf(attribute: Attribute, { __type, documentId, id }: Values): Reference {
  if (attribute.type === 'media') return id as number;
  return isPolymorphic(attribute) ? { __type, documentId } : ((documentId ?? id) as string | number);
}

/** Sends what changed: so targets that the caller may not see stay, unless the order changes. */
function toTargets(attribute: Attribute, value: unknown, before: unknown): unknown {
  const references = entriesOf(value).map((target) => referenceOf(attribute, target));
  const previous = entriesOf(before).map((target) => referenceOf(attribute, target));
  const isIn = (list: readonly Reference[]) => {
    const texts = list.map((each) => JSON.stringify(each));
    return (reference: Reference) => texts.includes(JSON.stringify(reference));
  };
  const kept = previous.filter(isIn(references));
  const connect = references.slice(kept.length);
  const isInOrder = JSON.stringify(references) === JSON.stringify([...kept, ...connect]);
  if (before !== undefined && isInOrder && references.length === previous.length && connect.length === 0)
    return undefined;
  if (attribute.type === 'media') return attribute.multiple ? references : (references[0] ?? null);
  if (!isToMany(attribute)) return references[0] ?? null;
  if (before === undefined || !isInOrder || attribute.required) return { set: references };
  return { connect, disconnect: previous.filter((reference) => !isIn(references)(reference)) };
}

function toEntries(model: Model, attribute: Attribute, value: unknown, before: unknown): unknown {
  const previous = entriesOf(before);
  const entries = entriesOf(value).map((entry) => {
    const same = entry.id === undefined ? undefined : previous.find(isSameEntry(entry));
    const attributes = attributesOf(model, componentOf(attribute, entry));
    const changed = same ? changedOf(attributes, entry, same) : attributes;
    return { ...identity(entry), ...toBody(model, changed, entry, same) };
  });
  return isList(attribute) ? entries : (entries[0] ?? null);
}

/** Between the values of documents and those of the form. */
interface Form {
  readonly from: (model: Model, attribute: Attribute, value: unknown) => unknown;
  /** @param entryOf returns an entry of a component, null within one */
  readonly empty: (attribute: Attribute, entryOf: (component: unknown) => unknown) => unknown;
  /** Undefined: it is not written. @param before what was read */
  readonly to: (model: Model, attribute: Attribute, value: unknown, before: unknown) => unknown;
}

const PLAIN: Form = {
  from: (_, __, value) => value,
  empty: ({ default: start = null }) => start,
  to: (_, __, value) => value,
};
// A hidden value is not checked: it may be no JSON, and no number.
const NUMBER: Form = { ...PLAIN, to: (_, __, value) => (typeof value === 'string' ? undefined : value) };
const LINKS: Form = { from: (_, __, value) => entriesOf(value), empty: () => [], to: (_, ...of) => toTargets(...of) };
const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

const FORMS: Readonly<Record<AttributeType, Form>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'enumeration', 'boolean', 'blocks', 'biginteger'], PLAIN),
  ...sameFor(['date', 'time', 'datetime'], PLAIN),
  ...sameFor(['integer', 'decimal', 'float'], NUMBER),
  password: { ...PLAIN, to: (_, __, value) => value || undefined },
  json: {
    from: (_, __, value) => (value === null ? '' : jsonText(value)),
    empty: ({ default: start }) => (start === undefined ? '' : jsonText(start)),
    to: (_, __, value) => attempt(() => JSON.parse(String(value ?? '').trim() || 'null'), undefined),
  },
  ...sameFor(['relation', 'media'], LINKS),
  component: {
    from: fromEntries,
    empty: ({ component, required }, entryOf) => (required ? entryOf(component) : null),
    to: toEntries,
  },
  dynamiczone: { from: fromEntries, empty: () => [], to: toEntries },
};

const toValue: Form['to'] = (model, attribute, value, before) =>
  value === undefined ? undefined : FORMS[attribute.type].to(model, attribute, value, before);

/**
 * Returns what a save would write of a value: of targets and files which they are, not how they are called.
 * @param isNew the ids of entries are left out
 */
export const writtenValue = (model: Model, attribute: Attribute, value: unknown, isNew: boolean): unknown =>
  toValue(model, attribute, isNew ? copiedValue(model, attribute, value) : value, undefined);

/**
 * Returns `data` of a request.
 * @param before the values that were read: relations and media that are the same are left out
 */
export const toBody = (model: Model, attributes: Attributes, values: Values, before?: Values): FormValues =>
  mapped(
    attributes,
    (name) => name,
    (attribute, name) => toValue(model, attribute, values[fieldName(name)], before?.[fieldName(name)]),
  );
