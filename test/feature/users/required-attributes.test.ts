/**
 * @module Users who must have an attribute of the project's own, and a provider that does not know it.
 */
import { expect, it } from 'vitest';
import { openIssuer, serveIssuers } from '../../support/issuer.ts';
import { ann, bindings, enter, ISSUER, ORIGIN, providers, rowsOf, signedIn } from '../../support/provider-world.ts';
import { sendJson } from '../../support/recorded.ts';
import { registryOf, userFile } from '../../support/schema-files.ts';
import { PASSWORD, refusalOf } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const user = userFile({
  city: { type: 'string', required: true },
  age: { type: 'integer', required: true, default: 18 },
  badge: { type: 'string', unique: true, default: 'the only one' },
});
const settings = { server: { url: ORIGIN }, users: { providers, linkByEmail: true } };
const { send } = openWorld(registryOf([], [], {}, { user }), settings, bindings);

it('are not made by a sign-in, which says why, and sign in once they are there', async () => {
  const issuer = await openIssuer(ISSUER);
  serveIssuers(issuer);
  expect(await refusalOf(await enter(issuer, ann, send))).toBe(
    '400 ApplicationError: There is no account yet, and none can be made by a sign-in: city must be defined.',
  );
  expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
  const body = { username: 'ann', email: 'ann@example.com', password: PASSWORD, role: 1, city: 'Ghent' };
  expect((await send('/api/users', sendJson('POST', 'full', body))).status).toBe(201);
  expect((await signedIn(enter(issuer, ann, send))).user).toMatchObject({ username: 'ann', city: 'Ghent' });
  const bo = { ...ann, sub: '2', email: 'bo@example.com', preferred_username: 'bob' };
  expect(await refusalOf(await enter(issuer, bo, send))).toBe(
    '400 ApplicationError: There is no account yet, and none can be made by a sign-in: 2 errors occurred',
  );
});
