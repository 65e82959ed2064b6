/**
 * @module A path below `/api` → what answers there, and with which methods.
 */
import type { ContentType, Registry } from '../registry/model.ts';
import { decoded } from './request-url.ts';

export type Endpoint =
  | { readonly kind: 'list'; readonly type: ContentType }
  | { readonly kind: 'one'; readonly type: ContentType; readonly documentId?: string };

/**
 * Finds the endpoint of a path (percent-encoded). Names of types match without regard to case, a trailing slash is
 * tolerated; a documentId alone may be percent-encoded, and keeps its case.
 */
export function endpointOf(path: string, registry: Registry): Endpoint | undefined {
  const [prefix = '', name = '', segment, ...rest] = path.replace(/\/$/, '').split('/').slice(1);
  const documentId = segment?.includes('%') ? (decoded(segment) ?? segment) : segment;
  if (prefix.toLowerCase() !== 'api' || rest.length > 0) return undefined;
  const type = registry.routes.get(name.toLowerCase());
  if (!type) return undefined;
  if (type.kind === 'singleType') return documentId === undefined ? { kind: 'one', type } : undefined;
  if (documentId === '') return undefined;
  return documentId === undefined ? { kind: 'list', type } : { kind: 'one', type, documentId };
}

/** The path below which a type's documents are. */
export const pathOfType = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

/** The `Allow` header of a path; where nothing answers, GET still tells so with a 404. */
export function allowedMethods(endpoint: Endpoint | undefined): string {
  if (!endpoint) return 'HEAD, GET';
  return endpoint.kind === 'list' ? 'HEAD, GET, POST' : 'HEAD, GET, PUT, DELETE';
}
