/**
 * @module Documents of a selection before they have values. An object that `JSON.parse` has made holds all its keys in
 * itself, and so does a copy of it; one that grows key by key takes twice the time to be filled and to be written down.
 */
import { Memory } from '../memory.ts';
import type { Selection } from '../plan/model/read-plan.ts';
import { FIELDS, same } from '../registry/fields.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import type { Document } from './document.ts';

type Reader = (stored: unknown) => unknown;

/** An attribute, and what makes its JSON value of its column; absent: it is shown as it is stored. */
interface Shown {
  readonly name: string;
  readonly attribute: ScalarAttribute;
  readonly read?: Reader;
}

/** What all documents of a selection have in common. */
export interface Blank {
  /** Every key in its order, null. To be copied. */
  readonly document: Document;
  readonly shown: readonly Shown[];
}

/** So many for the same attributes: callers choose what is populated. */
const MOST = 100;

/** By the attributes, of which there is one list where all are shown, and by the keys of what is populated. */
const blanks = new WeakMap<Selection['attributes'], Memory<string, Blank>>();

function shownOf(attribute: ScalarAttribute): Shown {
  const { read } = FIELDS[attribute.type];
  return { name: attribute.name, attribute, ...(read !== same && { read }) };
}

function makeBlank({ attributes, populate }: Selection, identity: readonly string[]): Blank {
  const names = [...identity, ...[...attributes, ...populate].map(({ name }) => name)];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, null])));
  const document: Document = JSON.parse(text);
  return { document, shown: attributes.map(shownOf) };
}

function alikeBlank(selection: Selection, identity: readonly string[]): Blank {
  const keys = selection.populate.map(({ name }) => name).join();
  const alike = blanks.get(selection.attributes) ?? new Memory<string, Blank>(MOST);
  const known = alike.get(keys);
  if (known) return known;
  const made = makeBlank(selection, identity);
  alike.keep(keys, made);
  blanks.set(selection.attributes, alike);
  return made;
}

/** By the selection itself: an answer has many documents of each. */
const ofSelections = new WeakMap<Selection, Blank>();

/**
 * Made once for all selections that are alike.
 * @param identity what stands before its attributes.
 */
export function blankOf(selection: Selection, identity: readonly string[]): Blank {
  const known = ofSelections.get(selection);
  if (known) return known;
  const blank = alikeBlank(selection, identity);
  ofSelections.set(selection, blank);
  return blank;
}
