/**
 * @module The `populate` that brings a whole document.
 */
import { writeQuery } from '../api/query-string.ts';
import { type Attribute, type Attributes, isPolymorphic } from '../model/attribute.ts';
import type { Model, Values } from '../model/model.ts';

export type PopulateQuery = Readonly<Record<string, unknown>>;

/** Attributes that a request names, if it can be split. */
const MOST_NODES = 90;

/** Attributes that one attribute may bring, of the 1,000 of `populateNodes`, and their levels, of the ten of `populateDepth`. */
const MOST_NESTED = 900;
const MOST_LEVELS = 9;

/** Of one attribute: a URL has 16 KB at most. */
const MOST_CHARACTERS = 12_000;

interface Part {
  readonly value: unknown;
  /** Attributes that it names. */
  readonly count: number;
}

function componentPart(model: Model, uid: string, levels: number): Part {
  const inner = levels === 0 ? [] : partsOf(model.components.get(uid)?.attributes ?? {}, model, levels - 1);
  const count = inner.reduce((sum, [, part]) => sum + part.count, 0);
  return { value: inner.length === 0 ? true : { populate: valuesOf(inner) }, count };
}

function zonePart(model: Model, uids: readonly string[], levels: number): Part {
  const parts = uids.map((uid) => [uid, componentPart(model, uid, levels)] as const);
  return { value: { on: valuesOf(parts) }, count: 1 + parts.reduce((sum, [, { count }]) => sum + count, 0) };
}

type Named = readonly (readonly [string, Part])[];

const valuesOf = (parts: Named): PopulateQuery => Object.fromEntries(parts.map(([name, { value }]) => [name, value]));

function partOf(attribute: Attribute, model: Model, levels: number): Part | undefined {
  if (attribute.type === 'media') return { value: true, count: 1 };
  if (attribute.type === 'relation') {
    const target = model.types.get(attribute.target ?? '');
    const isWhole = !target || isPolymorphic(attribute) || target.titleAttribute === 'documentId';
    return { value: isWhole ? true : { fields: [target.titleAttribute] }, count: 1 };
  }
  if (attribute.type === 'component') {
    const part = componentPart(model, attribute.component ?? '', levels);
    return { ...part, count: part.count + 1 };
  }
  return attribute.type === 'dynamiczone' ? zonePart(model, attribute.components ?? [], levels) : undefined;
}

const partsOf = (attributes: Attributes, model: Model, levels: number): Named =>
  Object.entries(attributes).flatMap(([name, attribute]): Named => {
    const part = partOf(attribute, model, levels);
    return part ? [[name, part]] : [];
  });

const lengthOf = (populate: unknown): number => writeQuery({ populate }).length;

/** Returns as many levels of components as a request takes: all, unless components contain themselves. */
function deepest<T extends Part | undefined>(partTo: (levels: number) => T): T {
  let part = partTo(1);
  for (let levels = 2; levels <= MOST_LEVELS; levels++) {
    const deeper = partTo(levels);
    if (!part || !deeper || deeper.count === part.count || deeper.count > MOST_NESTED) break;
    if (lengthOf(deeper.value) > MOST_CHARACTERS) break;
    part = deeper;
  }
  return part;
}

/** Returns the `on` of each request that a zone takes. */
function zoneRequests(model: Model, name: string, uids: readonly string[]): readonly PopulateQuery[] {
  const requests: Record<string, unknown>[] = [{}];
  let [characters, nodes] = [0, 0];
  for (const uid of uids) {
    const { value, count } = deepest((levels) => componentPart(model, uid, levels));
    const length = lengthOf({ [name]: { on: { [uid]: value } } });
    if (characters > 0 && (characters + length > MOST_CHARACTERS || nodes + count > MOST_NESTED)) {
      requests.push({});
      [characters, nodes] = [0, 0];
    }
    [characters, nodes] = [characters + length, nodes + count];
    requests[requests.length - 1] = { ...requests.at(-1), [uid]: value };
  }
  return requests.map((on) => ({ [name]: { on } }));
}

/** Returns one `populate` for each request that it takes, the first of them with all entries of zones. */
export function populates(model: Model, attributes: Attributes): readonly PopulateQuery[] {
  const requests: PopulateQuery[] = [{}];
  const ofZones: PopulateQuery[] = [];
  let nodes = 0;
  for (const [name, attribute] of Object.entries(attributes)) {
    const zones = attribute.type === 'dynamiczone' ? zoneRequests(model, name, attribute.components ?? []) : [];
    const whole = deepest((levels) => partOf(attribute, model, levels));
    const part = zones.length > 1 ? { value: true, count: 1 } : whole;
    if (zones.length > 1) ofZones.push(...zones);
    if (!part) continue;
    if (nodes > 0 && nodes + part.count > MOST_NODES) {
      requests.push({});
      nodes = 0;
    }
    nodes += part.count;
    requests[requests.length - 1] = { ...requests.at(-1), [name]: part.value };
  }
  return [...requests, ...ofZones];
}

interface Entry {
  readonly __component?: unknown;
  readonly id?: unknown;
}

const isZone = (value: unknown): value is readonly Entry[] =>
  Array.isArray(value) && value.some((entry: Entry | null) => entry?.__component !== undefined);

const keyOf = ({ __component, id }: Entry): string => `${__component} ${id}`;

/** Returns the document of several responses, of which those after the first have some entries of a zone. */
export function mergePopulates(parts: readonly Values[]): Values {
  const whole: Record<string, unknown> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) {
      const before = whole[name];
      const entries = new Map(isZone(value) ? value.map((entry) => [keyOf(entry), entry]) : []);
      whole[name] = isZone(before) ? before.map((entry) => entries.get(keyOf(entry)) ?? entry) : value;
    }
  return whole;
}
