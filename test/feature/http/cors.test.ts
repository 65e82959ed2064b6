/**
 * @module Answers to pages of another origin that is on the list.
 */
import { describe, expect, it } from 'vitest';
import { openMagazine } from '../../support/world.ts';

const ALLOWED = 'https://site.example';
const { send } = openMagazine({ cors: { origins: [ALLOWED] }, roles: { public: ['api::tag.tag.find'] } });

describe('an origin on the list', () => {
  it('reads an answer, and the headers that are listed', async () => {
    const response = await send('/api/tags', { headers: { origin: ALLOWED } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-credentials': 'true',
      vary: expect.stringMatching(/origin/i),
    });
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'x-d1-bookmark,x-request-id,retry-after,etag,idempotency-replayed',
    );
  });

  it.each([
    ...['x-d1-bookmark', 'if-match', 'if-none-match', 'idempotency-key', 'strapi-encode-source-maps'],
    ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
  ])('may send %s, if it asks for that', async (name) => {
    const headers = {
      origin: ALLOWED,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': name,
    };
    const response = await send('/api/tags', { method: 'OPTIONS', headers });
    const allowed = `Content-Type,Authorization,Origin,Accept,${name}`;
    expect(response.headers.get('access-control-allow-headers')).toBe(allowed);
  });

  it('asks for the methods of a path like everybody, if it asks for no other request', async () => {
    const response = await send('/api/tags', { method: 'OPTIONS', headers: { origin: ALLOWED } });
    expect([response.status, response.headers.get('allow')]).toEqual([200, 'HEAD, GET, POST']);
  });
});
