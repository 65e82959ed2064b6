/**
 * @module Bodies of writes by chance, for each type of the model: values, components and relations in all their forms.
 */
import fc from 'fast-check';
import type { Attribute } from '../../../src/schema/model.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { type Data, dataWith, type Making, targetNamed } from '../../generators/bodies.ts';
import { manyLinks, type Target } from '../../generators/links.ts';
import { idNamed } from './chance.ts';
import { typed } from './content.ts';
import { registry } from './model.ts';
import { idOf, nameOf, TYPE_NAMES } from './names.ts';
import { typeOf } from './queries.ts';
import { grantOf } from './rights.ts';
import { valueFor } from './values.ts';

const user = fc.constantFrom('{anna}', '{edda}', '{zoe}', '{zoe}', idNamed('zoe'), idNamed('nobody'));
const file = fc.constantFrom('{file1}', '{file2}', '{fileh1}', '{file9}');

/** Numeric ids are placeholders. */
const targetWith = (ids: fc.Arbitrary<string>): fc.Arbitrary<Target> =>
  ids.chain((id) => targetNamed(id, id.startsWith('{') && id !== '{new}' ? 'id' : 'documentId'));

const typedTarget: fc.Arbitrary<Target> = fc
  .constantFrom(...TYPE_NAMES, 'story', 'story')
  .chain((type) => nameOf(type, 20))
  .map((name) => {
    const keys = name === '{new}' ? { __type: 'api::story.story', documentId: name } : typed(name);
    return { ref: name, name: keys, keys, anchor: keys };
  });

function targetOf(uid: string | undefined): fc.Arbitrary<Target> {
  if (uid === undefined) return typedTarget;
  if (uid === FILE_UID) return targetWith(file);
  const type = registry.contentTypes.get(uid);
  return targetWith(type && !type.system ? idOf(type.singularName) : user);
}

const MAKING: Making = {
  registry,
  isSent: () => true,
  valueOf: valueFor,
  targetOf,
  instance: fc.constantFrom('{component}', undefined, undefined),
  most: 4,
};

const BODIES = new Map<string, fc.Arbitrary<Data>>();

/** The attributes that a caller may write, and a few others. */
function attributesFor(name: string, caller: string, action: string): ReadonlyMap<string, Attribute> {
  const { uid, attributes } = typeOf(name);
  const fields = grantOf(caller, action, uid)?.fields;
  const isWritten = (attribute: Attribute) =>
    (fields?.includes(attribute.name) ?? true) &&
    (attribute.kind !== 'relation' || grantOf(caller, 'find', attribute.target) !== undefined);
  return new Map([...attributes].filter(([, attribute]) => isWritten(attribute)));
}

/** Attributes of users that no condition is about. */
export const userBody: fc.Arbitrary<Data> = fc.record(
  {
    nickname: fc.constantFrom('alpha', null),
    favorites: manyLinks(targetWith(idOf('story')), targetWith(idOf('story'))).map(([sent]) => sent),
    badge: idOf('topic'),
  },
  { requiredKeys: [] },
);

/** `data` of a write of this type. */
export function bodyOf(name: string, caller: string, action: string): fc.Arbitrary<Data> {
  const key = `${name} ${caller} ${action}`;
  const found = BODIES.get(key);
  if (found) return found;
  const body = fc.oneof(
    { weight: 15, arbitrary: dataWith(attributesFor(name, caller, action), MAKING) },
    { weight: 1, arbitrary: dataWith(typeOf(name).attributes, MAKING) },
  );
  BODIES.set(key, body);
  return body;
}
