/**
 * @module Limits of a body: its entries of relations, components and zones and its nodes of blocks together, and the depth
 * of JSON sent as text.
 */

import { type ApiError, invalid } from '../../../common/errors.ts';
import { isObject } from '../../../common/json.ts';
import { hasComponents, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../../schema/model.ts';
import type { Limits } from '../../../schema/settings/config.ts';
import { type InputData, rejectDepth } from '../../request/body.ts';
import { type Attributes, instancesIn } from '../model/component-attributes.ts';

interface Reading {
  readonly registry: Registry;
  readonly limits: Limits;
  /** @throws ApiError 400 beyond the limit */
  count(entries: number): void;
}

function readTargets(value: unknown, { count }: Reading): void {
  for (const list of isObject(value) ? [value.set, value.connect, value.disconnect] : [value])
    if (Array.isArray(list)) count(list.length);
}

function readNodes(nodes: object, { count }: Reading): void {
  const open: object[] = [nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) count(next.length);
    for (const item of Object.values(next)) if (typeof item === 'object' && item !== null) open.push(item);
  }
}

const isJsonText = (value: unknown): value is string =>
  typeof value === 'string' && typeof FIELDS.json.cast(value) !== 'string';

function readScalar({ name, type }: ScalarAttribute, value: unknown, reading: Reading): void {
  const { json } = FIELDS[type];
  if (!json) return;
  if (isJsonText(value)) rejectDepth(value, reading.limits, name);
  if (json === 'value') return;
  const nodes = FIELDS.blocks.cast(value);
  if (FIELDS.blocks.accepts(nodes)) readNodes(nodes, reading);
}

function readInstances(attribute: Attribute, value: unknown, reading: Reading): void {
  reading.count(Array.isArray(value) ? value.length : 1);
  for (const [item, attributes] of instancesIn(attribute, value, reading.registry)) readData(item, attributes, reading);
}

function readData(data: InputData, attributes: Attributes, reading: Reading): void {
  for (const attribute of attributes.values()) {
    if (!Object.hasOwn(data, attribute.name)) continue;
    const value = data[attribute.name];
    if (isScalar(attribute)) readScalar(attribute, value, reading);
    else if (hasComponents(attribute)) readInstances(attribute, value, reading);
    else readTargets(value, reading);
  }
}

export const tooManyEntries = ({ bodyEntries }: Limits): ApiError =>
  invalid(`Too many entries in the lists of the body. Expected at most ${bodyEntries}`, {
    limit: 'bodyEntries',
    source: 'body',
  });

/**
 * Runs before any other code reads the values: the work of a write grows with its entries, and SQLite reads JSON of at
 * most a thousand levels.
 * @returns the number of entries
 * @throws ApiError 400 beyond `bodyEntries`, and for JSON text nested deeper than `bodyDepth`
 */
export function rejectExcess(data: InputData, { attributes }: ContentType, registry: Registry, limits: Limits): number {
  const { bodyEntries } = limits;
  let left = bodyEntries;
  const count = (entries: number) => {
    left -= entries;
    if (left < 0) throw tooManyEntries(limits);
  };
  readData(data, attributes, { registry, limits, count });
  return bodyEntries - left;
}
