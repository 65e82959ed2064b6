/**
 * @module `POST /oauth/register`: clients that register themselves (https://www.rfc-editor.org/rfc/rfc7591). Nothing is stored:
 * the id has the registration sealed.
 */
import { isObject, type JsonObject } from '../../common/json.ts';
import { requiredSecret } from '../../content/credentials/secrets.ts';
import { detailsIn, registeredId } from './clients.ts';
import { redirectOf } from './redirect-uri.ts';
import { WireError } from './wire.ts';

/** The id is part of addresses. */
const MAX_REDIRECTS = 5;
const MAX_LENGTH = 1_500;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws WireError for metadata that no client may have */
export async function register(text: string, secret: string | undefined, now: number): Promise<JsonObject> {
  const sent = parsed(text);
  if (!isObject(sent)) throw new WireError('invalid_client_metadata', 'Expected a JSON object');
  const details = detailsIn(sent);
  const { name, redirectUris: uris } = details;
  if (uris.length === 0 || uris.length > MAX_REDIRECTS || uris.join('').length > MAX_LENGTH)
    throw new WireError(
      'invalid_redirect_uri',
      `Expected 1 to ${MAX_REDIRECTS} redirect_uris of at most ${MAX_LENGTH} characters`,
    );
  if (!uris.every(redirectOf))
    throw new WireError(
      'invalid_redirect_uri',
      'Expected redirect_uris with https, with http on this computer, or with the scheme of an app',
    );
  return {
    client_id: await registeredId(details, requiredSecret(secret)),
    client_id_issued_at: Math.floor(now / 1000),
    ...(name !== '' && { client_name: name }),
    redirect_uris: uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
