/**
 * @module Bodies by chance, each part with what a reader has to find afterwards: how a notation changes a list of links,
 * and what becomes of a component. Written from docs/writing.md, without the code that plans writes.
 */
import type { Dice } from '../support/dice.ts';
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
import {
  documentOf,
  type Instance,
  keyOf,
  localeOf,
  type Ref,
  type State,
  VERSIONS,
  type Version,
} from './written-state.ts';
import { scalarPair } from './written-values.ts';

/** The row that is written. */
export interface Written {
  readonly type: TypeName;
  /** Of a create the documentId is not known yet. */
  readonly documentId: string | undefined;
  readonly locale: string;
}

type Change = (present: readonly Ref[]) => readonly Ref[];

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

/** One of the ways in which a body may name a target. */
function nameOf(ref: Ref, { target }: Pick<Relation, 'target'>, { dice, state }: Making): unknown {
  const documentId = documentOf(ref);
  const row = target === 'file' ? undefined : VERSIONS.map((each) => state.get(keyOf(target, ref, each))?.id)[0];
  const names: [unknown, ...unknown[]] = [documentId, { documentId }];
  if (row !== undefined) names.push(row, String(row), { id: row });
  return dice.pick(names);
}

const without = (list: readonly Ref[], gone: readonly Ref[]): readonly Ref[] =>
  list.filter((ref) => !gone.includes(ref));

/** A target that takes its place before what is at an index. */
function inserted(list: readonly Ref[], ref: Ref, index: number): readonly Ref[] {
  return [...list.slice(0, index), ref, ...list.slice(index)];
}

function placedLink(relation: Relation, ref: Ref, present: readonly Ref[], making: Making): [unknown, Change] {
  const documentId = documentOf(ref);
  // A document in another locale is no anchor for itself.
  const others = present.filter((other) => documentOf(other) !== documentId);
  const anchor = others[making.dice.below(others.length)];
  const at = making.dice.pick(anchor ? (['start', 'end', 'before', 'after'] as const) : (['start', 'end'] as const));
  const locale = relation.target !== 'file' && hasLocales(relation.target) && !hasLocales(making.row.type);
  // Without a locale, an anchor is in that of the target.
  const named = { [at]: documentOf(anchor ?? ''), ...(locale && { locale: localeOf(anchor ?? '') }) };
  const position = at === 'start' || at === 'end' ? { [at]: true } : named;
  const change: Change = (list) => {
    const rest = without(list, [ref]);
    if (at === 'start') return [ref, ...rest];
    const index = rest.indexOf(anchor ?? '');
    if (at === 'end' || index < 0) return [...rest, ref];
    return inserted(rest, ref, at === 'before' ? index : index + 1);
  };
  return [{ connect: [{ documentId, ...(locale && { locale: localeOf(ref) }), position }] }, change];
}

function manyLinks(relation: Relation, present: readonly Ref[], making: Making): [unknown, Change] {
  const { dice } = making;
  const known = targetsOf(relation, making);
  const some = (most: number): readonly Ref[] => {
    const count = known.length === 0 ? 0 : dice.below(most + 1);
    return [...new Set(Array.from({ length: count }, () => known[dice.below(known.length)] ?? ''))];
  };
  const names = (refs: readonly Ref[]) => refs.map((ref) => nameOf(ref, relation, making));
  const replacing = some(3);
  const [joining, leaving] = [some(2), some(2)];
  const [first] = joining;
  const replaced: Change = () => replacing;
  const moved: Change = (list) => [...without(list, [...joining, ...leaving]), ...joining];
  const forms: [[unknown, Change], ...[unknown, Change][]] = [
    [names(replacing), replaced],
    [{ set: names(replacing) }, replaced],
    [dice.pick([null, [], { set: [] }, [[]]]), () => []],
    [{}, (list) => list],
  ];
  if (relation.target === 'file') return dice.pick(forms);
  forms.push([{ connect: names(joining), disconnect: names(leaving) }, moved]);
  forms.push([{ connect: names(joining) }, (list) => [...without(list, joining), ...joining]]);
  forms.push([{ disconnect: names(leaving) }, (list) => without(list, leaving)]);
  if (first !== undefined) {
    forms.push(placedLink(relation, first, present, making), placedLink(relation, first, present, making));
    forms.push([{ connect: nameOf(first, relation, making) }, (list) => [...without(list, [first]), first]]);
    forms.push([nameOf(first, relation, making), () => [first]]);
  }
  return dice.pick(forms);
}

function oneLink(relation: Relation, present: readonly Ref[], making: Making): [unknown, Change] {
  const { dice } = making;
  const known = targetsOf(relation, making);
  const empty: [unknown, Change] = [dice.pick([null, [], { set: [] }]), () => []];
  const [first, second] = [known[dice.below(known.length)], known[dice.below(known.length)]];
  if (first === undefined || second === undefined || dice.once(6)) return empty;
  const names = [first, second].map((ref) => nameOf(ref, relation, making));
  const isFile = relation.target === 'file';
  const forms: [[unknown, Change], ...[unknown, Change][]] = [
    [names[0], () => [first]],
    [{ set: [names[0]] }, () => [first]],
    // Of a list a relation keeps the last, and a file the first.
    [names, () => [isFile ? first : second]],
    [{ disconnect: [names[0]] }, (list) => without(list, [first])],
  ];
  // A file that is connected beside another one waits behind it, unseen.
  if (isFile) return present.length > 0 ? (forms[0] as [unknown, Change]) : dice.pick(forms);
  forms.push([{ connect: [names[0]] }, () => [first]], [{ connect: names[0], disconnect: [names[1]] }, () => [first]]);
  return dice.pick(forms);
}

const linkPair = (relation: Relation, present: readonly Ref[], making: Making): [unknown, Change] =>
  relation.multiple ? manyLinks(relation, present, making) : oneLink(relation, present, making);

type Pair = [sent: Record<string, unknown>, read: Instance];

/** A component, new or one that is there: then what is not sent stays. */
function instancePair(uid: ComponentName, previous: Instance | undefined, making: Making): Pair {
  const { dice } = making;
  const { scalars, inner, links }: ComponentModel = COMPONENTS[uid];
  const sent: Record<string, unknown> = previous ? { id: previous.id } : {};
  const read: Record<string, unknown> = {};
  for (const [name, { type, default: initial = null }] of Object.entries(scalars)) {
    read[name] = previous ? previous[name] : initial;
    if (dice.once(2)) [sent[name], read[name]] = scalarPair(type, dice);
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
    const [form, change] = linkPair(link, present, making);
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
  for (const [name, { type }] of Object.entries(SCALARS))
    if (dice.once(5)) [data[name], values[name]] = scalarPair(type, dice);
  for (const { name, component: uid, list } of PLACES.filter(() => dice.once(4))) {
    const present = draft?.values[name] ?? (list ? [] : null);
    [data[name], values[name]] = list ? listPair(uid, present, making) : onePair(uid as ComponentName, present, making);
  }
  const relations = RELATIONS[row.type];
  for (const relation of Array.from({ length: dice.below(4) }, () => relations[dice.below(relations.length)])) {
    // Both ends of one relation in one body have a test of their own.
    if (relation && !(relation.name in data) && !(relation.inverse && relation.inverse in data))
      [data[relation.name], links[relation.name]] = linkPair(relation, draft?.links[relation.name] ?? [], making);
  }
  return { data, values, links };
}
