/**
 * @module Bodies by chance, each part with what a reader has to find afterwards: how a notation changes a list of links,
 * and what becomes of a component. Written from docs/writing.md, without the code that plans writes.
 */
import fc from 'fast-check';
import { type Change, type Input, manyLinks, namedLink, oneLink, replacedLinks } from '../generators/links.ts';
import { type Limits, pairOf, type Pair as Value } from '../generators/values.ts';
import { type Dice, draw } from '../support/dice.ts';
import {
  COMPONENTS,
  type ComponentModel,
  type ComponentName,
  FILES,
  hasLocales,
  PLACES,
  RELATIONS,
  type Relation,
  SCALARS,
  type TypeName,
} from './written-model.ts';
import { documentOf, type Instance, keyOf, localeOf, type Ref, type State, type Version } from './written-state.ts';

/** The row that is written. */
export interface Written {
  readonly type: TypeName;
  /** Of a create the documentId is not known yet. */
  readonly documentId: string | undefined;
  readonly locale: string;
}

export interface Body {
  readonly data: Readonly<Record<string, unknown>>;
  /** Scalars and components by name, as they have to be read. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, Change>>;
}

interface Making {
  readonly dice: Dice;
  readonly state: State;
  readonly row: Written;
}

/** The documents that a relation can be linked to, in the locale that a name means. */
function targetsOf({ target }: Pick<Relation, 'target'>, { state, row }: Making): readonly Ref[] {
  if (target === 'file') return FILES.map((file) => `${file}/`);
  const meant = hasLocales(target) ? (hasLocales(row.type) ? row.locale : 'en') : '';
  const refs = [...state.keys()].filter((key) => key.startsWith(`${target}/`)).map((key) => key.split('/'));
  const known = refs.map(([, documentId, locale]) => `${documentId}/${locale}`);
  return [...new Set(known)].filter((ref) => localeOf(ref) === meant);
}

/** One of these documents, in one of the ways in which a body may name it; undefined if there are none. */
function targetAmong(refs: readonly Ref[], { target }: Pick<Relation, 'target'>, { state, row }: Making) {
  if (refs.length === 0) return undefined;
  // Without a locale, an anchor is in that of the target.
  const isNamed = target !== 'file' && hasLocales(target) && !hasLocales(row.type);
  return fc.constantFrom(...refs).chain((ref) => {
    const documentId = documentOf(ref);
    const locale = isNamed && { locale: localeOf(ref) };
    const id = target === 'file' ? undefined : state.get(keyOf(target, ref, 'draft'))?.id;
    const names = [documentId, { documentId }, ...(id === undefined ? [] : [id, String(id), { id }])];
    const keys = { documentId, ...locale };
    return fc
      .constantFrom(...names)
      .map((name) => ({ ref, name, keys, anchor: documentId, anchorKeys: { ...locale } }));
  });
}

function linkInput(relation: Relation, present: readonly Ref[], making: Making): Input {
  const target = targetAmong(targetsOf(relation, making), relation, making);
  const { multiple } = relation;
  if (relation.target !== 'file')
    return draw(
      multiple ? manyLinks(target, targetAmong(present, relation, making)) : oneLink(target, 'last'),
      making.dice,
    );
  if (multiple) return draw(replacedLinks(target), making.dice);
  // A file in a list that is connected beside another one waits behind it, unseen.
  return draw(present.length > 0 ? namedLink(target) : oneLink(target, 'first'), making.dice);
}

/** A value of a scalar, or null. */
const valuePair = (json: Limits, dice: Dice): Value => (dice.once(8) ? [null, null] : draw(pairOf(json), dice));

type Pair = [sent: Record<string, unknown>, read: Instance];

/** A component, new or one that is there: then what is not sent stays. */
function instancePair(uid: ComponentName, previous: Instance | undefined, making: Making): Pair {
  const { dice } = making;
  const { scalars, inner, links }: ComponentModel = COMPONENTS[uid];
  const sent: Record<string, unknown> = previous ? { id: previous.id } : {};
  const read: Record<string, unknown> = {};
  for (const [name, json] of Object.entries(scalars)) {
    read[name] = previous ? previous[name] : (json.default ?? null);
    if (dice.once(2)) [sent[name], read[name]] = valuePair(json, dice);
  }
  for (const [name, [of, list]] of Object.entries(inner)) {
    read[name] = previous ? previous[name] : list ? [] : null;
    if (dice.once(3))
      [sent[name], read[name]] = list ? listPair(of, read[name], making) : onePair(of, read[name], making);
  }
  for (const link of links as readonly Relation[]) {
    const present = (previous?.[link.name] ?? []) as readonly Ref[];
    read[link.name] = present;
    if (!dice.once(3)) continue;
    const [form, change] = linkInput(link, present, making);
    [sent[link.name], read[link.name]] = [form, change(present)];
  }
  return [sent, read];
}

function onePair(uid: ComponentName, present: unknown, making: Making): [unknown, unknown] {
  if (making.dice.once(5)) return [null, null];
  return instancePair(uid, making.dice.once(2) ? ((present ?? undefined) as Instance | undefined) : undefined, making);
}

function listPair(uid: ComponentName | undefined, present: unknown, making: Making): [unknown, unknown] {
  const { dice } = making;
  const kept = (present as readonly Instance[]).filter(() => dice.once(2));
  const added = Array.from({ length: dice.below(3) }, () => undefined);
  const pairs = [...kept, ...added].reverse().map((previous): Pair => {
    const of = uid ?? ((previous?.__component ?? dice.pick(['kit.box', 'kit.pin'])) as ComponentName);
    const [sent, read] = instancePair(of, previous, making);
    return uid
      ? [sent, read]
      : [
          { ...sent, __component: of },
          { ...read, __component: of },
        ];
  });
  return [pairs.map(([sent]) => sent), pairs.map(([, read]) => read)];
}

/** @param draft what input goes to, as it is now */
export function bodyFor(row: Written, draft: Version | undefined, state: State, dice: Dice): Body {
  const making: Making = { dice, state, row };
  const data: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  const links: Record<string, Change> = {};
  for (const [name, json] of Object.entries(SCALARS))
    if (dice.once(5)) [data[name], values[name]] = valuePair(json, dice);
  for (const { name, component: uid, list } of PLACES.filter(() => dice.once(4))) {
    const present = draft?.values[name] ?? (list ? [] : null);
    [data[name], values[name]] = list ? listPair(uid, present, making) : onePair(uid as ComponentName, present, making);
  }
  const relations = RELATIONS[row.type];
  for (const relation of Array.from({ length: dice.below(4) }, () => relations[dice.below(relations.length)])) {
    // Both ends of one relation in one body have a test of their own.
    if (relation && !(relation.name in data) && !(relation.inverse && relation.inverse in data))
      [data[relation.name], links[relation.name]] = linkInput(relation, draft?.links[relation.name] ?? [], making);
  }
  return { data, values, links };
}
