/**
 * @module The recorded content model, with something to hide in every component, and a search index of articles.
 */
import { attributeOf } from '../../src/schema/attributes.ts';
import type { Attribute, ContentType, Registry } from '../../src/schema/model.ts';
import { recordedRegistry } from '../support/recorded-registry.ts';

const owner = { localized: false, overflow: new Set<string>(), privateAttributes: new Set<string>() };

/** Names of what every component hides. */
export const NOTE = 'hiddenNote';
export const PIN = 'hiddenPin';

const hidden: readonly Attribute[] = [
  attributeOf(NOTE, { type: 'string', private: true }, owner),
  attributeOf(PIN, { type: 'password' }, owner),
];

const components = [...recordedRegistry.components].map(([uid, component]) => {
  const attributes = new Map(component.attributes);
  for (const attribute of hidden) attributes.set(attribute.name, attribute);
  return [uid, { ...component, attributes }] as const;
});

const withIndex = (types: ReadonlyMap<string, ContentType>): ReadonlyMap<string, ContentType> =>
  new Map(
    [...types].map(([key, type]) => [key, type.uid === 'api::article.article' ? { ...type, searchable: true } : type]),
  );

export const registry: Registry = {
  ...recordedRegistry,
  components: new Map(components),
  contentTypes: withIndex(recordedRegistry.contentTypes),
  routes: withIndex(recordedRegistry.routes),
};

interface Column {
  readonly table: string;
  readonly column: string;
}

const isHiding = (attribute: Attribute): boolean => {
  if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') return true;
  return (
    attribute.kind === 'scalar' &&
    attribute.name !== 'locale' &&
    attribute.type !== 'boolean' &&
    (attribute.private || attribute.type === 'password')
  );
};

/** Every column in which there is something to hide: private attributes, passwords, components and zones. */
export const HIDING_COLUMNS: readonly Column[] = [...registry.contentTypes.values()].flatMap(({ table, attributes }) =>
  [...attributes.values()].flatMap((attribute) =>
    'column' in attribute && isHiding(attribute) ? [{ table, column: attribute.column }] : [],
  ),
);
