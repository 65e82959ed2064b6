/**
 * @module What the answers of a running Strapi do not tell of a row: attributes that are private, hashes of passwords,
 * relations to types that have no address. They are absent, while what is empty is null.
 */

import { isObject } from '../../json.ts';
import type { Attribute, ComponentAttribute, DynamicZoneAttribute, Registry } from '../../registry/model.ts';
import { FILE_UID, ROLE_UID, USER_UID } from '../../registry/system-types.ts';
import type { ArchiveSchema } from './records.ts';

export type Values = Readonly<Record<string, unknown>>;

/** uid of a component → names of its attributes that some instance does not tell. */
export type Gaps = ReadonlyMap<string, ReadonlySet<string>>;

/** Does the source tell the links of an attribute? */
export type TellsLinks = (uid: string, name: string) => boolean;

const isLink = ({ kind }: Attribute): boolean => kind === 'relation' || kind === 'media';
const isStored = ({ kind }: Attribute): boolean =>
  kind === 'scalar' || kind === 'component' || kind === 'dynamiczone' || kind === 'relation' || kind === 'media';

/** @param schemas of the source: an attribute that it does not have is told as little as a private one. */
export function tellsLinks(schemas: readonly ArchiveSchema[]): TellsLinks {
  const byUid = new Map(schemas.map((schema) => [schema.uid, schema]));
  const isAddressed = (target: unknown): boolean =>
    target === FILE_UID || target === USER_UID || (String(target).startsWith('api::') && byUid.has(String(target)));
  return (uid, name) => {
    if (uid === USER_UID && name === 'role') return true;
    const json: Values | undefined = byUid.get(uid)?.attributes[name];
    if (json === undefined || json.private === true) return false;
    return json.type === 'media' || (json.type === 'relation' && json.target !== ROLE_UID && isAddressed(json.target));
  };
}

/** Is this attribute of a component not told by an instance of it? */
export const isGap = (uid: string, attribute: Attribute, item: Values, tells: TellsLinks): boolean =>
  isLink(attribute) ? !tells(uid, attribute.name) : isStored(attribute) && item[attribute.name] === undefined;

export interface GapContext {
  readonly registry: Registry;
  readonly tells: TellsLinks;
}

type Content = ComponentAttribute | DynamicZoneAttribute;

/** The instances that an attribute has in an archive, each with the uid of its component. */
export const instancesOf = (
  attribute: Content,
  value: unknown,
): readonly (readonly [uid: string, instance: Values])[] =>
  (Array.isArray(value) ? value : [value])
    .filter(isObject)
    .map((item) => [attribute.kind === 'component' ? attribute.component : String(item.__component), item] as const);

function collect(attribute: Content, value: unknown, context: GapContext, gaps: Map<string, Set<string>>): void {
  for (const [uid, item] of instancesOf(attribute, value))
    for (const inner of context.registry.components.get(uid)?.attributes.values() ?? []) {
      if (isGap(uid, inner, item, context.tells)) gaps.set(uid, (gaps.get(uid) ?? new Set()).add(inner.name));
      else if (inner.kind === 'component' || inner.kind === 'dynamiczone')
        collect(inner, item[inner.name], context, gaps);
    }
}

/** What the components of an attribute leave out, at any depth. */
export function gapsIn(attribute: Content, value: unknown, context: GapContext): Gaps {
  const gaps = new Map<string, Set<string>>();
  collect(attribute, value, context, gaps);
  return gaps;
}
