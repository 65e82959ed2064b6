/**
 * @module What the planning of a write takes from outside.
 */
import { hashPassword } from './auth/passwords.ts';
import type { Means } from './plan/plan-write.ts';

/** Ids of component instances: those of a document must differ, whoever wrote them, and when. */
const randomId = (): number => Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);

/** @param now milliseconds since 1970. */
export const meansAt = (now: number): Means => ({ time: now, nextId: randomId, hashPassword });
