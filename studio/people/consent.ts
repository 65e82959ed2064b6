/**
 * @module A client's request to act for the user who is signed in (OAuth), and the decision of the user. The request is the
 * query of this page's address; the server checks all of it.
 */
import { redirectOf } from '../../src/features/oauth/redirect-uri.ts';
import { attempt } from '../api/query-string.ts';
import { request } from '../api/request.ts';
import { type Text, text } from '../texts/text.ts';

/** Each includes the ones before it. */
export type Level = 'read' | 'drafts' | 'write';

export const LEVELS: Readonly<Record<Level, { readonly name: Text; readonly meaning: Text }>> = {
  read: {
    name: 'Read content',
    meaning: 'It finds and reads what you may read, drafts included. It changes nothing.',
  },
  drafts: {
    name: 'Read content, and write drafts',
    meaning: 'It changes nothing that is published. You publish its drafts, or someone else does.',
  },
  write: {
    name: 'All that you may do with content',
    meaning: 'It publishes, changes what is published, deletes, and reads what is private, as far as you may.',
  },
};

export interface RequestedType {
  readonly uid: string;
  readonly displayName: string;
  /** What the user may allow. */
  readonly levels: readonly Level[];
}

/** A request that the server has found in order. */
export interface ClientRequest {
  readonly client: {
    readonly host: string;
    /** The client's own word. */
    readonly name: string;
    /** Is the host certain? Otherwise the client has registered itself: only where the answer goes is known. */
    readonly isVerified: boolean;
    readonly isLoopback: boolean;
  };
  readonly redirect: {
    readonly host: string;
    readonly isLoopback: boolean;
    readonly scheme: string;
  };
  readonly levels: readonly Level[];
  readonly types: readonly RequestedType[];
}

/** Does the answer go to an app, by a scheme that any app may claim? */
export const isOfApp = ({ redirect }: ClientRequest): boolean => redirect.host === '';

/** Where the browser goes on: back to the client, with a code or an error. */
export interface WayBack {
  readonly location: string;
}

/** What the user allows. `types`: uids; null for all content types, those to come included. */
export type Decision =
  | { readonly isDenied: true }
  | { readonly level: Level; readonly types: readonly string[] | null };

/** Names in the body by the names in the address. */
const PARAMETERS: Readonly<Record<string, string>> = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  scope: 'scope',
  state: 'state',
  resource: 'resource',
};

/** Of a parameter that is there twice the first one counts, here and in `goBack`. */
const bodyFrom = (search: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(PARAMETERS).flatMap(([parameter, name]) => {
      const value = search.get(parameter);
      return value === null ? [] : [[name, value]];
    }),
  );

async function post<T>(path: string, body: object): Promise<T> {
  const reply = await request<{ readonly data: T }>(`/api/auth/oauth/${path}`, { method: 'POST', body });
  return reply.body.data;
}

/** Asks the server what the client wants. A request with an error that is the client's has a way back alone. */
export const readRequest = (search: URLSearchParams): Promise<ClientRequest | WayBack> =>
  post('request', bodyFrom(search));

/** @throws ApiError where the server does not take it: nothing is allowed then */
export const sendDecision = (search: URLSearchParams, decision: Decision): Promise<WayBack> =>
  post('consent', { ...bodyFrom(search), ...decision });

/**
 * Leaves for the client. Only the scheme of the redirect that the server has compared with the client's own is followed, and
 * none that a browser runs.
 * @throws Error for any other
 */
export function goBack({ location }: WayBack, search: URLSearchParams): void {
  const scheme = redirectOf(search.get('redirect_uri') ?? '')?.scheme;
  if (scheme === undefined || attempt(() => new URL(location).protocol, '') !== `${scheme}:`)
    throw new Error(text('The address of the client is not one to follow.'));
  window.location.replace(location);
}
