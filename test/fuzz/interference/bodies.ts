/**
 * @module Bodies of writes by chance, for each type of the model: values, components and relations in all their forms.
 */
import fc from 'fast-check';
import type { Attribute, RelationAttribute } from '../../../src/schema/model.ts';
import { idNamed } from './chance.ts';
import { typed } from './content.ts';
import { grantOf, registry } from './model.ts';
import { type CallerName, idOf, nameOf, TYPE_NAMES } from './names.ts';
import { typeOf } from './paths.ts';
import { valueFor } from './values.ts';

const user = fc.constantFrom('{anna}', '{edda}', '{zoe}', '{zoe}', idNamed('zoe'), idNamed('nobody'));
const file = fc.constantFrom('{file1}', '{file2}', '{fileh1}', '{file9}', null);

const singularOf = (uid: string): string => registry.contentTypes.get(uid)?.singularName ?? '';
const targetOf = ({ target }: RelationAttribute): fc.Arbitrary<string> =>
  registry.contentTypes.get(target)?.system ? user : idOf(singularOf(target));

const position = (target: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.constantFrom({ start: true }, { end: true }),
    target.map((before) => ({ before })),
    target.map((after) => ({ after })),
  );

/** A list of targets, or what is to be done with it. */
function manyOf(target: fc.Arbitrary<unknown>, named: (target: unknown) => object): fc.Arbitrary<unknown> {
  const list = fc.array(target, { maxLength: 2 });
  const connected = fc.tuple(target, fc.option(position(target), { nil: undefined })).map(([one, at]) => {
    return { ...named(one), ...(at && { position: at }) };
  });
  return fc.oneof(
    list,
    list.map((set) => ({ set })),
    fc.array(connected, { minLength: 1, maxLength: 2 }).map((connect) => ({ connect })),
    list.map((disconnect) => ({ disconnect })),
  );
}

const identified = (target: unknown): object =>
  typeof target === 'string' && !target.startsWith('{') ? { documentId: target } : { id: target };

function relationOf(attribute: RelationAttribute): fc.Arbitrary<unknown> {
  const target = targetOf(attribute);
  if (attribute.multiple) return manyOf(target, identified);
  return fc.oneof(
    { weight: 4, arbitrary: target },
    { weight: 1, arbitrary: target.map(identified) },
    { weight: 1, arbitrary: target.map((one) => ({ connect: [one] })) },
    { weight: 1, arbitrary: target.map((one) => ({ disconnect: [one] })) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const typedTarget = fc
  .constantFrom(...TYPE_NAMES, 'story', 'story')
  .chain((type) => nameOf(type, 20))
  .map((name) => (name === '{new}' ? { __type: 'api::story.story', documentId: name } : typed(name)));

function dataOf(attributes: ReadonlyMap<string, Attribute>, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const entries = [...attributes.values()].flatMap((attribute): [string, fc.Arbitrary<unknown>][] => {
    const value = attribute.writable ? inputOf(attribute, depth) : undefined;
    return value ? [[attribute.name, value]] : [];
  });
  // Few of many: most attributes are left out of most bodies.
  const names = entries.map(([name]) => name);
  const all = new Map(entries);
  return fc.subarray(names, { maxLength: Math.min(4, names.length) }).chain((chosen) => {
    const record = Object.fromEntries(chosen.map((name) => [name, all.get(name) as fc.Arbitrary<unknown>]));
    return fc.record(record) as fc.Arbitrary<Record<string, unknown>>;
  });
}

/** A component, new or one that was seen. */
const componentOf = (uid: string, depth: number): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(dataOf(registry.components.get(uid)?.attributes ?? new Map(), depth + 1), fc.nat(2))
    .map(([data, kind]) => (kind === 0 ? { id: '{component}', ...data } : data));

function inputOf(attribute: Attribute, depth: number): fc.Arbitrary<unknown> | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return valueFor(attribute);
    case 'relation':
      return relationOf(attribute);
    case 'media':
      return attribute.multiple ? manyOf(file, (id) => ({ id })) : file;
    case 'polymorphic':
      return attribute.multiple
        ? manyOf(typedTarget, (target) => target as object)
        : fc.oneof(typedTarget, fc.constant(null));
    case 'component': {
      if (depth > 1) return undefined;
      const one = componentOf(attribute.component, depth);
      return attribute.repeatable ? fc.array(one, { maxLength: 2 }) : fc.oneof(one, fc.constant(null));
    }
    case 'dynamiczone':
      return fc.array(
        fc
          .constantFrom(...attribute.components)
          .chain((uid) => componentOf(uid, depth).map((data) => ({ __component: uid, ...data }))),
        { maxLength: 2 },
      );
    default:
      return undefined;
  }
}

const BODIES = new Map<string, fc.Arbitrary<Record<string, unknown>>>();

/** The attributes that a caller may write, and a few others. */
function attributesFor(name: string, caller: CallerName, action: string): ReadonlyMap<string, Attribute> {
  const { uid, attributes } = typeOf(name);
  const fields = grantOf(caller, action, uid)?.fields;
  const isWritten = (attribute: Attribute) =>
    (fields?.includes(attribute.name) ?? true) &&
    (attribute.kind !== 'relation' || grantOf(caller, 'find', attribute.target) !== undefined);
  return new Map([...attributes].filter(([, attribute]) => isWritten(attribute)));
}

/** Attributes of users that no condition is about. */
export const userBody: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    nickname: fc.constantFrom('alpha', null),
    favorites: manyOf(idOf('story'), identified),
    badge: idOf('topic'),
  },
  { requiredKeys: [] },
);

/** `data` of a write of this type. */
export function bodyOf(name: string, caller: CallerName, action: string): fc.Arbitrary<Record<string, unknown>> {
  const key = `${name} ${caller} ${action}`;
  const found = BODIES.get(key);
  if (found) return found;
  const body = fc.oneof(
    { weight: 15, arbitrary: dataOf(attributesFor(name, caller, action), 0) },
    { weight: 1, arbitrary: dataOf(typeOf(name).attributes, 0) },
  );
  BODIES.set(key, body);
  return body;
}
