/**
 * @module Sessions of users: where they are signed in.
 */

import type { Model } from '../../generators/models.ts';
import { expectDone } from '../content.ts';
import type { Worker } from '../project.ts';
import { asText, type Seen } from '../seen.ts';

const PASSWORD = 'a long password';

/** Makes a user who is signed in on two devices. */
export async function makeUser({ ask }: Worker): Promise<void> {
  const user = { username: 'ann', email: 'ann@a.test', password: PASSWORD, role: 1 };
  await expectDone(ask, 'POST', '/api/users', user);
  for (const deviceId of ['laptop', 'phone'])
    await expectDone(ask, 'POST', '/api/auth/local', { identifier: 'ann', password: PASSWORD, deviceId }, null);
}

const SESSIONS = `select device_id, key_hash, username from strapi_sessions join up_users on up_users.id = user_id`;

export async function seeSessions({ storage }: Worker, _: Model): Promise<Seen> {
  return { sessions: asText((await storage.db.prepare(SESSIONS).all()).results) };
}
