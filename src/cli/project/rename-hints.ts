/**
 * @module What looks like a rename that was not declared: something is gone, and the only new thing of its kind has come.
 * The options are as `--rename` and its like take them.
 */
import type { Layout, Place, Places, TypeLayout } from '../migrations/layout.ts';
import { nameOfType } from '../migrations/type-changes.ts';

/** What an attribute stores, wherever that is. */
function signatureOf(place: Place): string {
  if (place.kind === 'scalar') return place.type;
  if (place.kind === 'component') return `component ${place.component} ${place.repeatable}`;
  if (place.kind === 'dynamiczone') return `zone ${place.components.join()}`;
  return `links ${place.target} ${place.multiple}`;
}

/** Pairs of one that is gone and one that is new, where each has no other that is like it. */
function pairs<T>(gone: readonly T[], added: readonly T[], isLike: (from: T, to: T) => boolean): (readonly [T, T])[] {
  return gone.flatMap((from) => {
    const [to, ...others] = added.filter((each) => isLike(from, each));
    if (to === undefined || others.length > 0) return [];
    return gone.filter((each) => isLike(each, to)).length === 1 ? [[from, to] as const] : [];
  });
}

const namesOnly = <T>(all: Readonly<Record<string, T>>, others: Readonly<Record<string, T>>): readonly string[] =>
  Object.keys(all).filter((name) => !others[name]);

const attributeHints = (owner: string, before: Places, after: Places): readonly string[] =>
  pairs(
    namesOnly(before, after).map((name) => [name, before[name] as Place] as const),
    namesOnly(after, before).map((name) => [name, after[name] as Place] as const),
    ([, from], [, to]) => signatureOf(from) === signatureOf(to),
  ).map(([[from], [to]]) => `--rename ${owner}.${from}=${to}`);

type Entry = readonly [uid: string, type: TypeLayout];

const isLikeType =
  (isOnly: boolean) =>
  ([, from]: Entry, [, to]: Entry): boolean =>
    from.kind === to.kind && (isOnly || Object.keys(from.attributes).join() === Object.keys(to.attributes).join());

function typeHints(before: readonly Entry[], after: readonly Entry[]): readonly string[] {
  const without = (all: readonly Entry[], others: readonly Entry[]) =>
    all.filter(([, { table }]) => !others.some(([, other]) => other.table === table));
  const [gone, added] = [without(before, after), without(after, before)];
  return pairs(gone, added, isLikeType(gone.length === 1 && added.length === 1)).map(
    ([[from], [to]]) => `--rename-type ${nameOfType(from)}=${nameOfType(to)}`,
  );
}

function componentHints(before: Layout['components'], after: Layout['components']): readonly string[] {
  const [gone, added] = [namesOnly(before, after), namesOnly(after, before)];
  const isLike = (from: string, to: string) => added.length === 1 || nameOfType(from) === nameOfType(to);
  return pairs(gone, added, isLike).map(([from, to]) => `--rename-component ${from}=${to}`);
}

function optionsBetween(before: Layout, after: Layout): readonly string[] {
  const [former, now] = [Object.entries(before.types), Object.entries(after.types)];
  return [
    ...typeHints(former, now),
    ...componentHints(before.components, after.components),
    ...former.flatMap(([, { table, attributes }]) => {
      const [uid, type] = now.find(([, other]) => other.table === table) ?? [];
      return uid && type ? attributeHints(nameOfType(uid), attributes, type.attributes) : [];
    }),
    ...Object.entries(before.components).flatMap(([uid, places]) =>
      attributeHints(uid, places, after.components[uid] ?? {}),
    ),
  ];
}

/**
 * One line for each possible rename, below a line that asks; none where nothing looks like one.
 * @param befores the layouts that the migrations and a local database have come to.
 */
export function renameHints(befores: readonly Layout[], after: Layout): readonly string[] {
  const options = new Set(befores.flatMap((before) => optionsBetween(before, after)));
  const lines = [...options].map((option) => `  ${option}`);
  return lines.length > 0 ? ['If one of these is a rename, add the option:', ...lines] : [];
}
