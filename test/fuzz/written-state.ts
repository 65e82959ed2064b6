/**
 * @module What readers of the API find: every version of every document, with all that it links to.
 */
import { type ApiDocument, type Client, documentsOf } from '../support/client.ts';
import {
  COMPONENTS,
  type ComponentName,
  hasLocales,
  PLACES,
  RELATIONS,
  type Relation,
  SCALARS,
  TYPES,
  type TypeName,
} from './written-model.ts';

export type VersionName = 'draft' | 'published';
export const VERSIONS: readonly VersionName[] = ['draft', 'published'];

/** `<documentId>/<locale>`; the locale is empty where there are none. */
export type Ref = string;
export type Links = Readonly<Record<string, readonly Ref[]>>;

/** A component as it is read, and what it links to. */
export interface Instance {
  readonly [attribute: string]: unknown;
}

export interface Version {
  /** Numbers of rows come and go. */
  readonly id: unknown;
  readonly values: Readonly<Record<string, unknown>>;
  readonly links: Links;
}

/** By `keyOf`. */
export type State = ReadonlyMap<string, Version>;

export const keyOf = (type: TypeName, ref: Ref, version: VersionName): string => `${type}/${ref}/${version}`;
export const documentOf = (ref: Ref): string => ref.slice(0, ref.indexOf('/'));
export const localeOf = (ref: Ref): string => ref.slice(ref.indexOf('/') + 1);

const refOf = (target: { readonly documentId?: unknown; readonly locale?: unknown }): Ref =>
  `${target.documentId}/${target.locale ?? ''}`;

const refsOf = (value: unknown): readonly Ref[] =>
  [value].flat().flatMap((target) => (target ? [refOf(target as ApiDocument)] : []));

export function readInstance(uid: ComponentName, value: unknown): Instance | null {
  if (value === null || value === undefined) return null;
  const { scalars, inner, links } = COMPONENTS[uid];
  const read = value as Record<string, unknown>;
  const of = (names: readonly string[], one: (name: string) => unknown) =>
    names.map((name) => [name, one(name)] as const);
  return Object.fromEntries([
    ['id', read.id],
    ...of(Object.keys(scalars), (name) => read[name]),
    ...Object.entries(inner as Readonly<Record<string, readonly [ComponentName, boolean]>>).map(
      ([name, [of, list]]) => [
        name,
        list ? (read[name] as unknown[]).map((item) => readInstance(of, item)) : readInstance(of, read[name]),
      ],
    ),
    ...of(
      (links as readonly Relation[]).map(({ name }) => name),
      (name) => refsOf(read[name]),
    ),
  ]);
}

function readPlace(value: unknown, component: ComponentName | undefined): unknown {
  if (!Array.isArray(value)) return component ? readInstance(component, value) : value;
  return value.map((item: Record<string, unknown>) => {
    const uid = component ?? (item.__component as ComponentName);
    return { ...readInstance(uid, item), ...(!component && { __component: uid }) };
  });
}

/** Query parameters that show all of a document. */
export function populated(type: TypeName): string {
  const relations = RELATIONS[type].map(({ name, target }) => {
    const locale = target !== 'file' && hasLocales(target) ? `&populate[${name}][fields][1]=locale` : '';
    return `populate[${name}][fields][0]=name${locale}`;
  });
  return [...relations, ...PLACES.map(({ name }) => `populate[${name}][populate]=*`)].join('&');
}

export function readVersion(type: TypeName, document: ApiDocument): Version {
  const scalars = Object.keys(SCALARS).map((name) => [name, document[name]] as const);
  const places = PLACES.map(({ name, component }) => [name, readPlace(document[name], component)] as const);
  const links = RELATIONS[type].map(({ name }) => [name, refsOf(document[name])] as const);
  return { id: document.id, values: Object.fromEntries([...scalars, ...places]), links: Object.fromEntries(links) };
}

async function readVersions(client: Client, type: TypeName, version: VersionName) {
  const locale = hasLocales(type) ? '&locale=*' : '';
  const query = `status=${version}${locale}&pagination[pageSize]=100&${populated(type)}`;
  const documents = await documentsOf(client.get(`/api/${type}s?${query}`));
  return documents.map((document) => [keyOf(type, refOf(document), version), readVersion(type, document)] as const);
}

export async function readState(client: Client): Promise<State> {
  const parts = TYPES.flatMap((type) => VERSIONS.map((version) => readVersions(client, type, version)));
  return new Map((await Promise.all(parts)).flat());
}
