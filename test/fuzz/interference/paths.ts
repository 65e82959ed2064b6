/**
 * @module Paths along the attributes of the model, private ones and those that no grant lists among them.
 */
import type { Attribute, ContentType, ScalarAttribute } from '../../../src/registry/model.ts';
import { FILE_UID } from '../../../src/registry/system-types.ts';
import { registry, uidOf } from './model.ts';

export interface ScalarPath {
  readonly path: readonly string[];
  readonly attribute: ScalarAttribute;
}

export interface LinkPath {
  readonly path: readonly string[];
  readonly attribute: Attribute;
  /** The attributes behind it; none behind a polymorphic relation. */
  readonly attributes: ReadonlyMap<string, Attribute>;
}

export function typeOf(name: string): ContentType {
  const type = registry.contentTypes.get(uidOf(name));
  if (!type) throw new Error(`there is no type ${name}`);
  return type;
}

/** Passwords, tokens and the like of Strapi's own types only lengthen the lists. */
const SYSTEM_NAMES = new Set(['username', 'nickname', 'department', 'team', 'badge', 'favorites', 'name', 'caption', 'related']);

function behind(attribute: Attribute): ReadonlyMap<string, Attribute> | undefined {
  if (attribute.kind === 'component') return registry.components.get(attribute.component)?.attributes;
  const uid = attribute.kind === 'relation' ? attribute.target : attribute.kind === 'media' ? FILE_UID : undefined;
  const type = uid === undefined ? undefined : registry.contentTypes.get(uid);
  if (!type?.system) return type?.attributes;
  return new Map([...type.attributes].filter(([name]) => SYSTEM_NAMES.has(name)));
}

const LINKS = new Set(['relation', 'media', 'component', 'polymorphic', 'dynamiczone', 'localizations', 'related']);

/** Paths to everything that can be populated, up to so many steps. */
export function linkPaths(attributes: ReadonlyMap<string, Attribute>, steps: number): readonly LinkPath[] {
  return [...attributes.values()].flatMap((attribute): readonly LinkPath[] => {
    if (!LINKS.has(attribute.kind)) return [];
    const next = behind(attribute) ?? new Map<string, Attribute>();
    const own = { path: [attribute.name], attribute, attributes: next };
    const further = steps > 1 ? linkPaths(next, steps - 1) : [];
    return [own, ...further.map((each) => ({ ...each, path: [attribute.name, ...each.path] }))];
  });
}

const ID = { kind: 'scalar', type: 'integer', name: 'id' } as ScalarAttribute;
const DOCUMENT_ID = { kind: 'scalar', type: 'string', name: 'documentId' } as ScalarAttribute;

const scalarsOf = (attributes: ReadonlyMap<string, Attribute>): readonly ScalarAttribute[] => [
  ...[...attributes.values()].filter((attribute) => attribute.kind === 'scalar'),
  ID,
  DOCUMENT_ID,
];

/** Paths to everything that can be compared, by the number of their steps. */
export function scalarPaths(attributes: ReadonlyMap<string, Attribute>, steps: number): readonly ScalarPath[][] {
  const levels: ScalarPath[][] = [scalarsOf(attributes).map((attribute) => ({ path: [attribute.name], attribute }))];
  for (const { path, attributes: next } of linkPaths(attributes, steps)) {
    const level = levels[path.length] ?? [];
    levels[path.length] = level;
    level.push(...scalarsOf(next).map((attribute) => ({ path: [...path, attribute.name], attribute })));
  }
  return levels;
}
