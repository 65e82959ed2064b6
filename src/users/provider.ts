/**
 * @module Signing in with another provider, which nobody can here: as in a Strapi where none is enabled.
 */
import { application } from '../errors.ts';
import type { UserCall } from './call.ts';
import { readAs } from './precheck.ts';

/** @throws ApiError 403 unless the caller may, else 400. */
export const refuseProvider = (call: UserCall, action: 'connect' | 'callback'): Promise<never> =>
  readAs(call, `auth.${action}`, () => {
    throw application('This provider is disabled');
  });
