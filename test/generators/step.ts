/**
 * @module The steps of a sequence: requests with placeholders, and what happens beside them.
 */
import { formOf, type Part } from './form.ts';

/** A request with placeholders: `{story1/en/draft}` is a numeric id, `{new}` and the like were seen in responses before. */
export interface Planned {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: readonly Part[];
  /** Without the credential of the caller: what is hidden from a caller is hidden from the public, too. */
  readonly asPublic?: boolean;
  /** With the token of the last preview. */
  readonly isPreview?: boolean;
}

export type Step =
  /** Its responses have to be alike. */
  | { readonly kind: 'request'; readonly request: Planned }
  /** The same request by another caller, which fills caches; its responses may differ. */
  | { readonly kind: 'other'; readonly request: Planned; readonly caller: string }
  /** The last document that the caller created is hidden from all. */
  | { readonly kind: 'hide' }
  /** The cron trigger fires. */
  | { readonly kind: 'cron' };

export const requested = (request: Planned): Step => ({ kind: 'request', request });

/** A request whose placeholders are resolved. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns what a placeholder stands for. */
type Placed = (name: string) => string;

const PLACEHOLDER = /\{([\w/]+)\}/g;

export const resolvedText = (text: string, placed: Placed): string =>
  text.replace(PLACEHOLDER, (_, name: string) => placed(name));

/** Replaces placeholders; numeric ids become numbers. */
export const resolvedJson = (json: unknown, placed: Placed): string =>
  resolvedText(
    JSON.stringify(json).replace(/"\{([\w/]+)\}"/g, (_, name: string) => {
      const value = placed(name);
      return /^\d+$/.test(value) ? value : JSON.stringify(value);
    }),
    placed,
  );

export function resolved({ method, path, headers = {}, json, form }: Planned, placed: Placed): Sent {
  const own = Object.entries(headers).map(([name, value]) => [name, resolvedText(value, placed)]);
  const sent = form && formOf(form.map((part) => ({ ...part, value: resolvedText(part.value, placed) })));
  return {
    method,
    path: resolvedText(path, placed),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(own), ...sent?.headers },
    ...(sent ? { body: sent.body } : json !== undefined && { body: resolvedJson(json, placed) }),
  };
}

const FOUND: Readonly<Record<string, RegExp>> = {
  component: /"(?:card|parts|cards|pin)":\[?\{[^{}]*?"id":(\d+)/,
  revision: /"revision":"([^"]+)"/,
  state: /"requestState":"([^"]+)"/,
  cursor: /"next":"([^"]+)"/,
  preview: /"token":"([\w.-]+)"/,
  value: /"documentId":"[^"]+","\w+":"?([^",{}]+)"?}/,
};

/** Notes what later requests refer to. */
export function note({ method, path }: Planned, response: Response, text: string, seen: Map<string, string>): void {
  const etag = response.headers.get('etag');
  if (etag) seen.set('etag', etag);
  for (const [name, pattern] of Object.entries(FOUND)) {
    const [, value] = pattern.exec(text) ?? [];
    if (value) seen.set(name, value);
  }
  if (method !== 'POST' || !response.ok) return;
  const [, documentId] = /"documentId":"([^"]+)"/.exec(text) ?? [];
  const [type] = /^\/api\/[a-z-]+(?=\?|$)/.exec(path) ?? [];
  if (documentId && type) {
    seen.set('new', documentId);
    seen.set('newPath', `${type}/${documentId}`);
  }
  const [, entry] = /"id":"([0-9a-f]{24})"/.exec(text) ?? [];
  if (entry) seen.set('entry', entry);
}
