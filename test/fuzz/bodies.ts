/**
 * @module Bodies that fit a content type most of the time, so that writes get as far as the database.
 */
import fc from 'fast-check';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { hostileText } from './hostile.ts';

type Data = Readonly<Record<string, unknown>>;

const text = fc.oneof(fc.constantFrom('abc', 'Zed', 'a longer text'), hostileText);
const moment = fc.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('2100-01-01') });
const block = fc.constantFrom(
  { type: 'paragraph', children: [{ type: 'text', text: 'a' }] },
  { type: 'heading', level: 2, children: [{ type: 'text', text: 'a', bold: true }] },
  { type: 'nope' },
);

function scalarValue({ type, enum: names = [] }: ScalarAttribute): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return fc.integer({ min: 0, max: 130 });
    case 'biginteger':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    case 'decimal':
    case 'float':
      return fc.double({ min: 0, max: 5, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'date':
      return moment.map((date) => date.toISOString().slice(0, 10));
    case 'datetime':
      return moment.map((date) => date.toISOString());
    case 'time':
      return moment.map((date) => date.toISOString().slice(11, 19));
    case 'enumeration':
      return fc.constantFrom(...names, 'nope');
    case 'email':
      return fc.constantFrom('zed@example.com', 'amy@example.com', 'nobody');
    case 'uid':
      return fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    case 'json':
      return fc.oneof(fc.jsonValue({ maxDepth: 2 }), text);
    case 'blocks':
      return fc.array(block, { maxLength: 3 });
    default:
      return text;
  }
}

/** `{uid}` stands for a document of that type, see `world.ts`. */
function relationValue(multiple: boolean, target: string): fc.Arbitrary<unknown> {
  const known = fc.constantFrom(`{${target}}`, `{made:${target}}`);
  const id = fc.oneof({ weight: 8, arbitrary: known }, fc.constantFrom<unknown>('nope', 999, null));
  const item = fc.oneof(
    { weight: 3, arbitrary: id },
    id.map((documentId) => ({ documentId })),
  );
  const list = fc.array(item, { maxLength: 3 });
  const position = fc.oneof(
    fc.constantFrom({ start: true }, { end: true }),
    id.map((before) => ({ before })),
  );
  const placed = fc.tuple(id, position).map(([documentId, at]) => ({ documentId, position: at }));
  const operations = fc.record(
    { connect: fc.oneof(list, fc.array(placed, { maxLength: 2 })), disconnect: list, set: list },
    { requiredKeys: [] },
  );
  return fc.oneof({ weight: 2, arbitrary: multiple ? list : item }, operations, fc.constantFrom(null, []));
}

const instanceOf = (uid: string, registry: Registry, depth: number): fc.Arbitrary<Data> =>
  dataWith(registry.components.get(uid)?.attributes ?? new Map(), registry, depth - 1);

function valueFor(attribute: Attribute, registry: Registry, depth: number): fc.Arbitrary<unknown> {
  switch (attribute.kind) {
    case 'scalar':
      return scalarValue(attribute);
    case 'relation':
      return relationValue(attribute.multiple, attribute.target);
    case 'media':
      return relationValue(attribute.multiple, FILE_UID);
    case 'component': {
      const one = instanceOf(attribute.component, registry, depth);
      return attribute.repeatable ? fc.array(one, { maxLength: 3 }) : one;
    }
    case 'dynamiczone': {
      const entry = fc
        .constantFrom(...attribute.components)
        .chain((uid) => instanceOf(uid, registry, depth).map((data) => ({ ...data, __component: uid })));
      return fc.array(entry, { maxLength: 3 });
    }
    default:
      return fc.constant(null);
  }
}

function dataWith(attributes: ReadonlyMap<string, Attribute>, registry: Registry, depth: number): fc.Arbitrary<Data> {
  const writable = [...attributes.values()].filter(
    (item) => item.writable && !item.private && (depth > 0 || item.kind === 'scalar'),
  );
  const entries = writable.map((attribute) => {
    const value = valueFor(attribute, registry, depth);
    const often = attribute.required ? 20 : 2;
    const chance = fc.oneof(
      { weight: often, arbitrary: value.map((given) => [attribute.name, given] as const) },
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant([attribute.name, null] as const) },
    );
    return chance;
  });
  return fc.tuple(...entries).map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== undefined)));
}

/** The `data` of a write to a type; private attributes are left as they are. */
export const dataOn = (type: ContentType, registry: Registry): fc.Arbitrary<Data> =>
  dataWith(type.attributes, registry, 2);
