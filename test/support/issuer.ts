/**
 * @module An issuer of OpenID Connect in process, which says whatever a test wants, and a browser that visits it. It answers in
 * place of `fetch`.
 */
import { vi } from 'vitest';
import { sha256Base64Url } from '../../src/common/digest.ts';
import type { Send } from './app.ts';

type Claims = Readonly<Record<string, unknown>>;

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const part = (value: unknown): string => encoded(new TextEncoder().encode(JSON.stringify(value)));

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export interface SigningKey {
  /** Undefined: neither tokens nor the list of keys name it. */
  readonly kid: string | undefined;
  readonly pair: CryptoKeyPair;
}

export async function newSigningKey(kid?: string): Promise<SigningKey> {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  return {
    kid,
    pair: (await crypto.subtle.generateKey({ ...ALGORITHM, ...size }, true, ['sign', 'verify'])) as CryptoKeyPair,
  };
}

export interface Issuer {
  readonly url: string;
  /** Who the next person is. */
  person: Claims;
  /** Claims of an ID token in place of the right ones. */
  forged: Claims;
  /** What the response of the token endpoint has besides. */
  extra: Claims;
  /** The issuer that its metadata names; absent: its address. */
  named?: string;
  /** Does its metadata say that it puts its name into each response? */
  sendsIssuer: boolean;
  /** Signs ID tokens. */
  key: SigningKey;
  /** Those that it publishes. */
  published: readonly SigningKey[];
  /** A path whose response is followed by bytes without end. */
  endless?: string;
  /** Chunks that were read of them. */
  chunks: number;
  /** Requests that it has got. */
  readonly requests: string[];
  /** The person agrees at this address: returns where the browser goes. */
  agree(location: string): string;
  respond(request: Request): Promise<Response | undefined>;
}

interface Grant {
  readonly person: Claims;
  readonly query: URLSearchParams;
}

/** Returns a JWT. */
export async function signedBy({ kid, pair }: SigningKey, claims: Claims): Promise<string> {
  const signed = `${part({ alg: 'RS256', kid })}.${part(claims)}`;
  const signature = await crypto.subtle.sign(ALGORITHM, pair.privateKey, new TextEncoder().encode(signed));
  return `${signed}.${encoded(new Uint8Array(signature))}`;
}

/** Returns the response of a JWKS. */
export async function jwksOf(keys: readonly SigningKey[]): Promise<Response> {
  const jwks = keys.map(async ({ kid, pair }) => {
    const jwk = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey;
    return { ...jwk, kid, use: 'sig', alg: 'RS256' };
  });
  return Response.json({ keys: await Promise.all(jwks) });
}

function idToken(issuer: Issuer, { person, query }: Grant): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: issuer.url, aud: query.get('client_id'), iat: now, exp: now + 60, nonce: query.get('nonce') },
    ...person,
    ...issuer.forged,
  };
  return signedBy(issuer.key, claims);
}

/** A response of JSON that never ends. */
function endless(issuer: Issuer): Response {
  const chunk = new TextEncoder().encode(' '.repeat(64 * 1024));
  const pull = (controller: ReadableStreamDefaultController) => {
    issuer.chunks += 1;
    controller.enqueue(chunk);
  };
  return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } });
}

export async function openIssuer(url: string, given?: SigningKey): Promise<Issuer> {
  const key = given ?? (await newSigningKey('first'));
  const grants = new Map<string, Grant>();
  const metadata = {
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    response_types_supported: ['code'],
  };

  async function tokens(request: Request): Promise<Response> {
    const body = new Map([...(await request.formData())].map(([name, value]) => [name, String(value)]));
    const code = body.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const isRight =
      grant !== undefined &&
      body.get('client_secret') === 'the secret' &&
      body.get('redirect_uri') === grant.query.get('redirect_uri') &&
      (grant.query.has('code_challenge')
        ? sha256Base64Url(body.get('code_verifier') ?? '') === grant.query.get('code_challenge')
        : !body.has('code_verifier'));
    if (!isRight)
      return Response.json({ error: 'invalid_grant', error_description: 'grant request is invalid' }, { status: 400 });
    return Response.json({
      access_token: 'of the provider',
      token_type: 'Bearer',
      id_token: await idToken(issuer, grant),
      ...issuer.extra,
    });
  }

  const issuer: Issuer = {
    url,
    person: {},
    forged: {},
    extra: {},
    sendsIssuer: true,
    key,
    published: [key],
    requests: [],
    chunks: 0,
    agree(location) {
      const { searchParams: query } = new URL(location);
      const code = crypto.randomUUID();
      grants.set(code, { person: issuer.person, query });
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      if (issuer.sendsIssuer) back.searchParams.set('iss', url);
      return back.href;
    },
    async respond(request) {
      if (!request.url.startsWith(`${url}/`)) return undefined;
      const path = request.url.slice(url.length);
      issuer.requests.push(path);
      if (path === issuer.endless) return endless(issuer);
      if (path === '/.well-known/openid-configuration') {
        const { named = url, sendsIssuer } = issuer;
        return Response.json({
          ...metadata,
          issuer: named,
          authorization_response_iss_parameter_supported: sendsIssuer,
        });
      }
      if (path === '/token') return tokens(request);
      return jwksOf(issuer.published);
    },
  };
  return issuer;
}

/** Answers in place of `fetch`; a request to anybody else fails. */
export const serveIssuers = (...issuers: readonly Pick<Issuer, 'respond'>[]) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    for (const issuer of issuers) {
      const response = await issuer.respond(request.clone() as Request);
      if (response) return response;
    }
    throw new TypeError(`nobody answers ${request.url}`);
  });

/** A browser with cookies for the server. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, ...(cookie && { cookie }) };
    const response = await this.#send(path, { method, headers: sent, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Returns the address to which a request redirects. */
  async follow(path: string): Promise<URL> {
    return new URL((await this.get(path)).headers.get('location') ?? '');
  }
}
