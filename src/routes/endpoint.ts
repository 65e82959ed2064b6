/**
 * @module A path below `/api` → its endpoint and methods.
 */
import type { ContentType, Registry } from '../registry/model.ts';
import { DOCUMENT_ACTIONS, type DocumentAction, pathOfAction } from '../registry/publication.ts';
import { decoded } from './request-url.ts';

export type Endpoint =
  | { readonly kind: 'list'; readonly type: ContentType }
  | { readonly kind: 'one'; readonly type: ContentType; readonly documentId?: string }
  | {
      readonly kind: 'action';
      readonly type: ContentType;
      readonly documentId?: string;
      readonly action: DocumentAction;
    };

/** Returns the action that the segments behind a document name, in any case. */
function actionIn([actions = '', name = '', ...rest]: readonly string[]): DocumentAction | undefined {
  if (actions.toLowerCase() !== 'actions' || rest.length > 0) return undefined;
  return DOCUMENT_ACTIONS.find((action) => pathOfAction(action) === name.toLowerCase());
}

function actionOf(type: ContentType, segments: readonly string[]): Endpoint | undefined {
  if (type.kind === 'singleType') {
    const action = actionIn(segments);
    return action && { kind: 'action', type, action };
  }
  const [documentId = '', ...rest] = segments;
  const action = documentId === '' ? undefined : actionIn(rest);
  return action && { kind: 'action', type, documentId: decoded(documentId) ?? documentId, action };
}

/** @param path names of types match in any case; a documentId keeps its case, and may be percent-encoded */
export function endpointOf(path: string, registry: Registry): Endpoint | undefined {
  const [prefix = '', name = '', segment, ...rest] = path.replace(/\/$/, '').split('/').slice(1);
  const documentId = segment?.includes('%') ? (decoded(segment) ?? segment) : segment;
  if (prefix.toLowerCase() !== 'api') return undefined;
  const type = registry.routes.get(name.toLowerCase());
  if (!type) return undefined;
  if (segment !== undefined && rest.length > 0) return actionOf(type, [segment, ...rest]);
  if (type.kind === 'singleType') return documentId === undefined ? { kind: 'one', type } : undefined;
  if (documentId === '') return undefined;
  return documentId === undefined ? { kind: 'list', type } : { kind: 'one', type, documentId };
}

export const pathOfType = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

/** The `Allow` header of a path. */
export function allowedMethods(endpoint: Endpoint | undefined): string {
  if (!endpoint) return 'HEAD, GET';
  if (endpoint.kind === 'action') return 'POST';
  return endpoint.kind === 'list' ? 'HEAD, GET, POST' : 'HEAD, GET, PUT, DELETE';
}
