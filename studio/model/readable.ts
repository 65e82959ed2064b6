/**
 * @module The attributes that a query may name, by content type and component.
 */
import { type Attribute, type Attributes, isNeverShown, isPassword } from './attribute.ts';
import type { ContentType, Model } from './model.ts';

/** Returns the attributes that may be shown. */
export const shownAttributes = ({ attributes, shown }: ContentType): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([name]) => shown.has(name));

export type NamedAttribute = readonly [name: string, attribute: Attribute];

const isPrivate = (attribute: Attribute): boolean => attribute.private === true && !isPassword(attribute);

const hasPrivate = (model: Model, attributes: Attributes, above: readonly string[] = []): boolean =>
  Object.values(attributes).some((attribute) => {
    const inner = [attribute.component ?? [], attribute.components ?? []].flat().filter((uid) => !above.includes(uid));
    return (
      isPrivate(attribute) ||
      inner.some((uid) => hasPrivate(model, model.components.get(uid)?.attributes ?? {}, [...above, uid]))
    );
  });

/** Whether a document is read with its private attributes: the caller may read them, and the type has some. */
export const readsPrivate = (model: Model, type: ContentType): boolean =>
  type.actions.has('readPrivate') && hasPrivate(model, type.attributes);

/** Returns the attributes that a document is read with, private ones included where the caller may read them. */
export const readAttributes = (type: ContentType): readonly NamedAttribute[] =>
  Object.entries(type.attributes).filter(
    ([name, attribute]) => type.shown.has(name) || (isPrivate(attribute) && type.actions.has('readPrivate')),
  );

/** Attributes that no schema declares. */
const SYSTEM_ATTRIBUTES: readonly NamedAttribute[] = [
  ['createdAt', { type: 'datetime' }],
  ['updatedAt', { type: 'datetime' }],
  ['publishedAt', { type: 'datetime' }],
  ['locale', { type: 'string' }],
  ['documentId', { type: 'string' }],
  ['id', { type: 'integer' }],
];

/** Returns the readable attributes of a content type or a component, those of the system at the end. */
export function readableAttributes(model: Model, uid: string): readonly NamedAttribute[] {
  const type = model.types.get(uid);
  const own = type ? shownAttributes(type) : Object.entries(model.components.get(uid)?.attributes ?? {});
  const names = new Set(own.map(([name]) => name));
  const system = SYSTEM_ATTRIBUTES.filter(
    ([name]) => !names.has(name) && (type ? type.shown.has(name) : name === 'id'),
  );
  return [...own.filter(([, attribute]) => !isNeverShown(attribute)), ...system];
}

/** Returns the uid of what an attribute leads to: the target of a relation, the file type, or a component. */
export function targetOf(model: Model, attribute: Attribute): string | undefined {
  const { type, target, component } = attribute;
  const uid = type === 'media' ? 'plugin::upload.file' : type === 'relation' ? target : component;
  return uid !== undefined && (model.types.has(uid) || model.components.has(uid)) ? uid : undefined;
}

export function attributeAt(model: Model, uid: string | undefined, path: readonly string[]): Attribute | undefined {
  const [name, ...rest] = path;
  const found = uid === undefined ? undefined : readableAttributes(model, uid).find(([key]) => key === name)?.[1];
  return rest.length === 0 || !found ? found : attributeAt(model, targetOf(model, found), rest);
}
