/**
 * @module Which component of a list that was read is which of those that are stored. One that was saved keeps its id in
 * Strapi; publishing, and a request that names no ids, give all of them new ones.
 */
import type { Registry } from '../../registry/model.ts';
import { type Gaps, instancesOf, type Values } from './gaps.ts';

export interface Instance {
  readonly uid: string;
  readonly content: Values;
}

export interface Matches {
  /** For each that was read the stored one, where it is known. */
  readonly stored: readonly (Values | undefined)[];
  /** How many could not be told apart, though a stored one might be theirs. */
  readonly unknown: number;
}

/** What is told of an instance, without ids. */
function toldText({ uid, content }: Instance, registry: Registry, gaps: Gaps): string {
  const parts = [...(registry.components.get(uid)?.attributes.values() ?? [])]
    .filter(({ name }) => !gaps.get(uid)?.has(name))
    .map((attribute) => {
      const value = content[attribute.name] ?? null;
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') return JSON.stringify(value);
      const inner = instancesOf(attribute, value).map(([own, item]) =>
        toldText({ uid: own, content: item }, registry, gaps),
      );
      return JSON.stringify(inner);
    });
  return JSON.stringify([uid, parts]);
}

/** Takes the first of the free ones that `isIt` says. */
function taken(free: Set<Instance>, isIt: (instance: Instance) => boolean): Instance | undefined {
  const found = [...free].find(isIt);
  if (found) free.delete(found);
  return found;
}

function byId(fresh: readonly Instance[], stored: readonly Instance[]): readonly (Values | undefined)[] {
  const known = new Map(stored.map(({ uid, content }) => [`${uid} ${String(content.id)}`, content]));
  return fresh.map(({ uid, content }) => known.get(`${uid} ${String(content.id)}`));
}

/** Those that say the same are the same; of others only the place is left, and that tells nothing when the number changed. */
function byContent(fresh: readonly Instance[], stored: readonly Instance[], registry: Registry, gaps: Gaps): Matches {
  const texts = new Map(stored.map((instance) => [instance, toldText(instance, registry, gaps)]));
  const free = new Set(stored);
  const same = fresh.map((instance) => {
    const text = toldText(instance, registry, gaps);
    return taken(free, (other) => texts.get(other) === text);
  });
  const matched = same.map((found, index) => {
    const other = stored[index];
    const fits = !found && other && fresh.length === stored.length && other.uid === fresh[index]?.uid;
    return found ?? (fits ? taken(free, (one) => one === other) : undefined);
  });
  const isOpen = (uid: string | undefined): boolean =>
    [...free].some((other) => other.uid === uid && hasGap(other, gaps));
  const unknown = matched.filter((found, index) => !found && isOpen(fresh[index]?.uid)).length;
  return { stored: matched.map((found) => found?.content), unknown };
}

/** Has it a value that is not told? */
const hasGap = ({ uid, content }: Instance, gaps: Gaps): boolean =>
  [...(gaps.get(uid) ?? [])].some((name) => {
    const value = content[name] ?? null;
    return value !== null && !(Array.isArray(value) && value.length === 0);
  });

/**
 * Matches a list with the stored one of the same attribute of the same version.
 * @param fresh with the ids that they would be stored with.
 * @param withIds are the stored ids such ids, too?
 */
export function matchComponents(
  fresh: readonly Instance[],
  stored: readonly Instance[],
  withIds: boolean,
  { registry, gaps }: { readonly registry: Registry; readonly gaps: Gaps },
): Matches {
  const found = withIds ? byId(fresh, stored) : [];
  if (found.some((content) => content !== undefined)) return { stored: found, unknown: 0 };
  return byContent(fresh, stored, registry, gaps);
}
