/**
 * @module The `populate` that brings a whole document.
 */
import { type Attributes, isPolymorphic } from '../model/attribute.ts';
import type { Model } from '../model/model.ts';

export type Populate = Readonly<Record<string, unknown>>;

/** A request may name 100 attributes (`api.rest.limits.populateNodes`). */
const MOST_NODES = 90;

interface Part {
  readonly value: unknown;
  /** Attributes that it names. */
  readonly count: number;
}

function components(model: Model, uid: string): Part {
  const inner = partsOf(model, model.components.get(uid)?.attributes ?? {});
  const count = inner.reduce((sum, [, part]) => sum + part.count, 0);
  return { value: inner.length === 0 ? true : { populate: valuesOf(inner) }, count };
}

function zone(model: Model, uids: readonly string[]): Part {
  const parts = uids.map((uid) => [uid, components(model, uid)] as const);
  return { value: { on: valuesOf(parts) }, count: 1 + parts.reduce((sum, [, { count }]) => sum + count, 0) };
}

type Named = readonly (readonly [string, Part])[];

const valuesOf = (parts: Named): Populate => Object.fromEntries(parts.map(([name, { value }]) => [name, value]));

function partsOf(model: Model, attributes: Attributes): Named {
  return Object.entries(attributes).flatMap(([name, attribute]): Named => {
    if (attribute.type === 'media') return [[name, { value: true, count: 1 }]];
    if (attribute.type === 'relation') {
      const target = model.types.get(attribute.target ?? '');
      const isWhole = !target || isPolymorphic(attribute) || target.titleAttribute === 'documentId';
      return [[name, { value: isWhole ? true : { fields: [target.titleAttribute] }, count: 1 }]];
    }
    if (attribute.type === 'component') {
      const part = components(model, attribute.component ?? '');
      return [[name, { ...part, count: part.count + 1 }]];
    }
    return attribute.type === 'dynamiczone' ? [[name, zone(model, attribute.components ?? [])]] : [];
  });
}

/** Returns one `populate` for each request that it takes, the first of them with whatever fits. */
export function populates(model: Model, attributes: Attributes): readonly Populate[] {
  const requests: Populate[] = [{}];
  let nodes = 0;
  for (const [name, { value, count }] of partsOf(model, attributes)) {
    if (nodes > 0 && nodes + count > MOST_NODES) {
      requests.push({});
      nodes = 0;
    }
    nodes += count;
    requests[requests.length - 1] = { ...requests.at(-1), [name]: value };
  }
  return requests;
}
