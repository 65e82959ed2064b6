/**
 * @module Values that a running Strapi does not tell stay as they are stored, inside of components and in the overflow
 * column too, where a new row would take the place of all of it.
 */

import { isObject } from '../../json.ts';
import type { ComponentAttribute, ContentType, DynamicZoneAttribute, Registry } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { componentIds } from './component-ids.ts';
import { type GapContext, type Gaps, gapsIn, instancesOf, type Values } from './gaps.ts';
import { matchComponents } from './match-components.ts';
import type { Entity } from './records.ts';
import type { Remarks } from './remarks.ts';

type Content = ComponentAttribute | DynamicZoneAttribute;

export interface Mending extends GapContext {
  readonly remarks: Remarks;
}

/** What is to be kept of a row, by column. */
export interface Kept {
  readonly components: ReadonlyMap<string, readonly [attribute: Content, gaps: Gaps]>;
  /** Attributes in the overflow column. */
  readonly overflow: readonly string[];
}

/** undefined: nothing, all is told. */
export function keptOf({ attributes }: ContentType, { data }: Entity, context: GapContext): Kept | undefined {
  const components = new Map<string, readonly [Content, Gaps]>();
  const overflow: string[] = [];
  for (const attribute of attributes.values()) {
    const value = data[attribute.name];
    if (attribute.kind === 'scalar' && attribute.overflow && value === undefined) overflow.push(attribute.name);
    if ((attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') || !isContent(value)) continue;
    const gaps = gapsIn(attribute, value, context);
    if (gaps.size > 0) components.set(attribute.column, [attribute, gaps]);
  }
  return components.size > 0 || overflow.length > 0 ? { components, overflow } : undefined;
}

const isContent = (value: unknown): boolean => typeof value === 'object' && value !== null;

interface Work {
  readonly registry: Registry;
  readonly gaps: Gaps;
  /** Counts instances of which it cannot be known which they are. */
  readonly lost: (count: number) => void;
}

function mendedInstance(uid: string, fresh: Values, stored: Values | undefined, work: Work): Values {
  if (!stored) return fresh;
  const mended: Record<string, unknown> = { ...fresh };
  for (const attribute of work.registry.components.get(uid)?.attributes.values() ?? []) {
    const { name, kind } = attribute;
    const before = stored[name];
    if (before === undefined) continue;
    if (work.gaps.get(uid)?.has(name)) mended[name] = before;
    else if (kind === 'component' || kind === 'dynamiczone')
      mended[name] = mendedContent(attribute, fresh[name], before, work);
  }
  return mended;
}

function mendedContent(attribute: Content, fresh: unknown, stored: unknown, work: Work): unknown {
  const [own, before] = [fresh, stored].map((value) =>
    instancesOf(attribute, value).map(([uid, content]) => ({ uid, content })),
  );
  if (!own || !before || own.length === 0) return fresh;
  const { isFrom } = componentIds(work.registry);
  const withIds = before.every(({ uid, content }) => isFrom(uid, content.id));
  const matches = matchComponents(own, before, withIds, work);
  work.lost(matches.unknown);
  const list = own.map(({ uid, content }, index) => mendedInstance(uid, content, matches.stored[index], work));
  return Array.isArray(fresh) ? list : list[0];
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

function mendedOverflow(names: readonly string[], fresh: unknown, stored: unknown): string {
  const before = parsed(stored);
  const own = parsed(fresh) as Values;
  const kept = isObject(before) ? names.flatMap((name) => (name in before ? [[name, before[name]] as const] : [])) : [];
  return JSON.stringify({ ...own, ...Object.fromEntries(kept) });
}

/**
 * The values of a row with what is to be kept of the stored ones.
 * @param columns of the values, in order.
 * @param stored by column.
 */
export function mendedValues(
  { uid }: ContentType,
  columns: readonly string[],
  values: readonly unknown[],
  { components, overflow }: Kept,
  stored: Values,
  { registry, remarks }: Mending,
): readonly unknown[] {
  return values.map((value, index) => {
    const column = columns[index] ?? '';
    if (column === OVERFLOW_COLUMN && overflow.length > 0) return mendedOverflow(overflow, value, stored[column]);
    const [attribute, gaps] = components.get(column) ?? [];
    if (!attribute || !gaps || value === null) return value;
    const text = `${uid}.${attribute.name}: components have private attributes that the API does not tell, and which component is which cannot be known after a change; left empty`;
    const work = { registry, gaps, lost: (count: number) => remarks.note(text, count) };
    return JSON.stringify(mendedContent(attribute, parsed(value), parsed(stored[column]), work));
  });
}
