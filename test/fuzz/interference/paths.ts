/**
 * @module Paths along the attributes of the model, private ones and those that no grant lists among them.
 */
import type { Attribute, ContentType, ScalarAttribute } from '../../../src/schema/model.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { grantOf, registry, uidOf } from './model.ts';
import type { CallerName } from './names.ts';

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

/** What a caller knows of a type, a component or a file; without a caller, everything. */
type Scope = ReadonlyMap<string, Attribute>;

/** Attributes of Strapi's own types that are worth a query. */
const SYSTEM_NAMES = new Set([
  'username',
  'nickname',
  'department',
  'team',
  'badge',
  'favorites',
  'name',
  'caption',
  'related',
]);

function isKnown(attribute: Attribute, caller: CallerName | undefined): boolean {
  if (caller === undefined) return true;
  if (attribute.private) return false;
  return attribute.kind !== 'relation' || grantOf(caller, 'find', attribute.target) !== undefined;
}

/** The attributes of a type that a caller may name. */
export function scopeOf({ uid, system, attributes }: ContentType, caller: CallerName | undefined): Scope {
  const fields = caller === undefined ? undefined : grantOf(caller, 'find', uid)?.fields;
  const isNamed = (name: string) =>
    system && caller !== undefined ? SYSTEM_NAMES.has(name) : (fields?.includes(name) ?? true);
  return new Map([...attributes].filter(([name, attribute]) => isNamed(name) && isKnown(attribute, caller)));
}

const componentScope = (uid: string, caller: CallerName | undefined): Scope =>
  new Map([...(registry.components.get(uid)?.attributes ?? [])].filter(([, attribute]) => isKnown(attribute, caller)));

/** The attributes behind one; none behind a polymorphic relation. */
function behind(attribute: Attribute, type: ContentType | undefined, caller: CallerName | undefined): Scope {
  if (attribute.kind === 'component') return componentScope(attribute.component, caller);
  if (attribute.kind === 'localizations' && type) return scopeOf(type, caller);
  const uid = attribute.kind === 'relation' ? attribute.target : attribute.kind === 'media' ? FILE_UID : undefined;
  const target = uid === undefined ? undefined : registry.contentTypes.get(uid);
  return target ? scopeOf(target, caller) : new Map();
}

const LINKS = new Set(['relation', 'media', 'component', 'polymorphic', 'dynamiczone', 'localizations', 'related']);

export interface Walk {
  readonly caller: CallerName | undefined;
  readonly steps: number;
}

/** Paths to everything that can be populated, up to so many steps. */
export function linkPaths(scope: Scope, { caller, steps }: Walk, type?: ContentType): readonly LinkPath[] {
  return [...scope.values()].flatMap((attribute): readonly LinkPath[] => {
    if (!LINKS.has(attribute.kind)) return [];
    const next = behind(attribute, type, caller);
    const target = attribute.kind === 'relation' ? registry.contentTypes.get(attribute.target) : undefined;
    const own = { path: [attribute.name], attribute, attributes: next };
    const further = steps > 1 ? linkPaths(next, { caller, steps: steps - 1 }, target) : [];
    return [own, ...further.map((each) => ({ ...each, path: [attribute.name, ...each.path] }))];
  });
}

const ID = { kind: 'scalar', type: 'integer', name: 'id' } as ScalarAttribute;
const DOCUMENT_ID = { kind: 'scalar', type: 'string', name: 'documentId' } as ScalarAttribute;

const scalarsOf = (scope: Scope): readonly ScalarAttribute[] => [
  ...[...scope.values()].filter((attribute) => attribute.kind === 'scalar'),
  ID,
  DOCUMENT_ID,
];

/** Paths to everything that can be compared, by the number of their steps. */
export function scalarPaths(scope: Scope, walk: Walk, type?: ContentType): readonly ScalarPath[][] {
  const levels: ScalarPath[][] = [scalarsOf(scope).map((attribute) => ({ path: [attribute.name], attribute }))];
  for (const { path, attributes } of linkPaths(scope, walk, type).filter((link) => link.attributes.size > 0)) {
    const level = levels[path.length] ?? [];
    levels[path.length] = level;
    level.push(...scalarsOf(attributes).map((attribute) => ({ path: [...path, attribute.name], attribute })));
  }
  return levels;
}
