/**
 * @module Content types of the archive and those that are there, side by side: what the archive has that has no place.
 */
import type { Attribute, ContentType, Registry } from '../../registry/model.ts';
import { USER_UID } from '../../registry/system-types.ts';
import { ownAttributes } from '../../registry/user-type.ts';

type Attributes = ReadonlyMap<string, Attribute>;

/** What of an attribute decides whether a value of one is a value of the other. */
function formOf(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type;
    case 'relation':
      return `${attribute.relation} relation to ${attribute.target}${attribute.owner ? '' : ' (its other side)'}`;
    case 'media':
      return attribute.multiple ? 'media (multiple)' : 'media';
    case 'component':
      return `component ${attribute.component}${attribute.repeatable ? ' (repeatable)' : ''}`;
    case 'dynamiczone':
      return `dynamic zone of ${[...attribute.components].sort().join(', ')}`;
    default:
      return attribute.kind;
  }
}

function attributeDifferences(owner: string, wanted: Attributes, present: Attributes): readonly string[] {
  return [...wanted].flatMap(([name, attribute]) => {
    const other = present.get(name);
    if (!other) return [`${owner}.${name}: not there`];
    const forms = [formOf(attribute), formOf(other)];
    return forms[0] === forms[1] ? [] : [`${owner}.${name}: ${forms[0]} in the archive, ${forms[1]} here`];
  });
}

const FLAGS = { draftAndPublish: 'draft & publish', localized: 'localized' } as const;

function typeDifferences(wanted: ContentType, present: ContentType | undefined): readonly string[] {
  const { uid, kind } = wanted;
  if (!present) return [`${uid}: not there`];
  const flags = (Object.keys(FLAGS) as (keyof typeof FLAGS)[])
    .filter((flag) => wanted[flag] !== present[flag])
    .map((flag) => `${uid}: ${FLAGS[flag]} is ${wanted[flag] ? 'on' : 'off'} in the archive, not here`);
  const kinds = kind === present.kind ? [] : [`${uid}: ${kind} in the archive, ${present.kind} here`];
  return [...kinds, ...flags, ...attributeDifferences(uid, wanted.attributes, present.attributes)];
}

/** Types that files declare, and that of users, which a file may add to. */
const declared = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ system, uid }) => !system || uid === USER_UID);

/** What the project would have to have, or have otherwise, to hold all that the archive has. */
export function differencesOf(wanted: Registry, present: Registry): readonly string[] {
  const types = declared(wanted).flatMap((type) => typeDifferences(type, present.contentTypes.get(type.uid)));
  const components = [...wanted.components.values()].flatMap(({ uid, attributes }) => {
    const other = present.components.get(uid);
    return other ? attributeDifferences(uid, attributes, other.attributes) : [`${uid}: not there`];
  });
  return [...types, ...components];
}

/** Does the project declare nothing at all? */
export const isEmptyModel = (registry: Registry): boolean =>
  declared(registry).every((type) => type.system && ownAttributes(type).size === 0) && registry.components.size === 0;
