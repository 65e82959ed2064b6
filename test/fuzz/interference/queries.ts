/**
 * @module What the queries of a caller are made of: the attributes that it may name, and now and then all others.
 */
import fc from 'fast-check';
import type { Attribute, ContentType, ScalarAttribute } from '../../../src/schema/model.ts';
import {
  type Asking,
  fieldsOn,
  filtersOn,
  type Owner,
  populateOn,
  searchOf,
  sortOn,
} from '../../generators/queries.ts';
import { either, type Grammar } from '../../generators/subject.ts';
import { registry, uidOf } from './model.ts';
import { HIDDEN } from './names.ts';
import { grantOf } from './rights.ts';
import { operandOf, WORDS } from './values.ts';

export function typeOf(name: string): ContentType {
  const type = registry.contentTypes.get(uidOf(name));
  if (!type) throw new Error(`there is no type ${name}`);
  return type;
}

/** One filter, one term or one path each: several would seldom find anything. */
const ONE = { depth: 3, width: 1, list: 3 };

/** Attributes of Strapi's own types that are worth a query. */
const SYSTEM_NAMES = new Set([
  ...['username', 'nickname', 'department', 'team', 'badge', 'favorites'],
  ...['name', 'caption', 'related'],
]);

const GUARDED: ReadonlySet<string> = new Set(Object.keys(HIDDEN).map(uidOf));

const ID = { kind: 'scalar', type: 'integer', name: 'id' } as ScalarAttribute;
const DOCUMENT_ID = { kind: 'scalar', type: 'string', name: 'documentId' } as ScalarAttribute;

const isType = (owner: Owner): owner is ContentType => registry.contentTypes.has(owner.uid);

function isKnown(attribute: Attribute, owner: Owner, caller: string): boolean {
  if (attribute.private || attribute.kind === 'creator') return false;
  if (attribute.kind === 'relation' && !grantOf(caller, 'find', attribute.target)) return false;
  if (!isType(owner)) return true;
  if (owner.system) return SYSTEM_NAMES.has(attribute.name);
  return grantOf(caller, 'find', owner.uid)?.fields?.includes(attribute.name) ?? true;
}

/** What leads to documents of which some are hidden is named more often. */
const weighted = (attribute: Attribute): readonly Attribute[] =>
  attribute.kind === 'relation' && GUARDED.has(attribute.target) ? [attribute, attribute, attribute] : [attribute];

/** What the attributes of a query are to the caller: those that it sees, scalars that it does not see, or all. */
type Naming = 'seen' | 'unseen' | 'any';

function namedBy(owner: Owner, caller: string, naming: Naming): readonly Attribute[] {
  const all = [...owner.attributes.values()];
  if (naming === 'any') return [...all, ID, DOCUMENT_ID];
  const seen = all.filter((attribute) => isKnown(attribute, owner, caller)).flatMap(weighted);
  if (naming === 'seen') return [...seen, ID, DOCUMENT_ID];
  const unseen = all
    .filter((attribute) => attribute.kind === 'scalar' && !isKnown(attribute, owner, caller))
    .flatMap((attribute) => (attribute.private ? [attribute] : Array.from({ length: 6 }, () => attribute)));
  return [...seen.filter(({ kind }) => kind !== 'scalar'), ...(unseen.length > 0 ? unseen : [ID])];
}

const askingOf = (caller: string, naming: Naming): Asking => ({
  registry,
  namedIn: (owner) => namedBy(owner, caller, naming),
  operandOf,
  word: fc.constantFrom(...WORDS, 'h', 'e', 'a', '%'),
});

/** Placeholders are replaced by ids as they are. */
const textOf = (query: Parameters<typeof searchOf>[0]): string =>
  searchOf(query).replaceAll(/%7B([\w%]+?)%7D/g, (text) => decodeURIComponent(text));

function grammarIn(type: ContentType, asking: Asking): Grammar {
  return {
    filter: filtersOn(type, asking, ONE).map((filters) => textOf({ filters })),
    sort: sortOn(type, asking, ONE).map((sort) => textOf({ sort })),
    populate: populateOn(type, asking, ONE).map((populate) => textOf({ populate })),
    fields: fieldsOn(type, asking).map((fields) => textOf({ fields })),
  };
}

const GRAMMARS = new Map<string, Grammar>();

/** What a caller may name, and now and then what it may not. */
export function grammarOf(type: ContentType, caller: string): Grammar {
  const key = `${type.uid} ${caller}`;
  const found = GRAMMARS.get(key);
  if (found) return found;
  const [seen, unseen, any] = (['seen', 'unseen', 'any'] as const).map((naming) =>
    grammarIn(type, askingOf(caller, naming)),
  ) as [Grammar, Grammar, Grammar];
  const mixed = (name: keyof Grammar) => either(2, seen[name], either(5, unseen[name], any[name]));
  const grammar = {
    filter: mixed('filter'),
    sort: mixed('sort'),
    populate: mixed('populate'),
    fields: mixed('fields'),
  };
  GRAMMARS.set(key, grammar);
  return grammar;
}
