/**
 * @module A real issuer of OpenID Connect: `oidc-provider`, over HTTP on the loopback. Whoever comes is signed in at once.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, Provider } from 'oidc-provider';

export const CLIENT = { clientId: 'site', secret: 'the secret' };

/** Claims by the id of a person. */
type People = Readonly<Record<string, object>>;

export interface RealIssuer {
  readonly url: string;
  /** The id of the next person. */
  person: string;
  /** Signs by a new key from now on, and publishes no other one; without `signs`, only what it publishes changes. */
  rotate(kid: string, signs?: boolean): void;
  stop(): void;
}

const newKey = (kid: string): JWK => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } as JWK;
};

export async function startIssuer(redirectUris: readonly string[], people: People): Promise<RealIssuer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: CLIENT.clientId, client_secret: CLIENT.secret, redirect_uris: [...redirectUris] };
  const providerWith = (key: JWK): Provider => {
    const provider = new Provider(url, {
      clients: [client],
      jwks: { keys: [key] },
      cookies: { keys: ['only a test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
      async loadExistingGrant({ oidc }) {
        const accountId = oidc.session?.accountId ?? '';
        const grant = new provider.Grant({ clientId: CLIENT.clientId, accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    return provider;
  };
  let publishing = providerWith(newKey('first'));
  let signing = publishing;
  const issuer: RealIssuer = {
    url,
    person: Object.keys(people)[0] ?? '',
    rotate(kid, signs = true) {
      publishing = providerWith(newKey(kid));
      if (signs) signing = publishing;
    },
    stop: () => void server.close(),
  };
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      const provider = request.url === '/jwks' ? publishing : signing;
      return void provider.callback()(request, response);
    }
    const login = { accountId: issuer.person, remember: false };
    void signing.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  });
  return issuer;
}
