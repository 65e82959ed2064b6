/**
 * @module Which link tables a content type owns, and which point to it.
 */
import type { ContentType, Registry } from '../registry/model.ts';
import { linkTable } from '../registry/names.ts';
import { linkAttributes } from './plan-relations.ts';
import { type LinkAttribute, targetOf } from './relation-input.ts';
import type { LinkTable } from './write-plan.ts';

/** Does the attribute's own type hold the links? */
export const isOwner = (attribute: LinkAttribute): boolean => attribute.kind === 'media' || attribute.owner;

/** The table of a relation or media attribute, whichever side of it the attribute is. */
export function tableOf(attribute: LinkAttribute, type: ContentType, registry: Registry): LinkTable | undefined {
  const other = registry.contentTypes.get(targetOf(attribute));
  if (!other) return undefined;
  if (isOwner(attribute)) return { name: linkTable(type.table, attribute.name), source: type, target: other };
  const inverse = attribute.kind === 'relation' ? attribute.inverse : undefined;
  return inverse === undefined ? undefined : { name: linkTable(other.table, inverse), source: other, target: type };
}

/** Tables whose sources are the rows of the type. */
export const ownedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  linkAttributes(type.attributes)
    .filter(isOwner)
    .map((attribute) => tableOf(attribute, type, registry))
    .filter((table) => table !== undefined);

/** Tables whose targets are the documents of the type. */
export const pointingTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  [...registry.contentTypes.values()]
    .flatMap((source) => ownedTables(source, registry))
    .filter(({ target }) => target === type);
