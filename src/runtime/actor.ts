/**
 * @module Who makes a write.
 */
import { EVERYTHING } from '../auth/grants.ts';
import type { Actor } from '../sql/write/actors.ts';
import type { Call } from './call.ts';

export function actorOf({ credential, schedule }: Call): Actor {
  if (credential.kind === 'user') return { kind: 'user', id: credential.id };
  if (credential.kind === 'token') return { kind: 'token', key: credential.key };
  if (schedule) return { kind: 'schedule', madeBy: schedule.madeBy };
  return { kind: credential.grants === EVERYTHING ? 'code' : 'public' };
}
