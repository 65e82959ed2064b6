/**
 * @module Validates the inputs of account routes; only callers who pass the precheck of the route get its errors.
 */

import type { InputData } from '../../content/request/body.ts';
import { rejectsMixedRelations } from '../../content/runtime/call.ts';
import type { Deployment } from '../../http/deployment.ts';
import { type BodySchema, registerWith } from '../../schema/account-bodies.ts';
import type { AccountAction, AccountInput, AccountRoute } from '../../schema/account-routes.ts';
import { systemType, USER_UID } from '../../schema/system-types.ts';
import { ownAttributes } from '../../schema/user-type.ts';
import { parseInput } from './body-rules.ts';
import type { UserCall } from './call.ts';
import { rejectInput } from './precheck.ts';

type Route = AccountRoute & { readonly action: AccountAction };

const inputOf = ({ query }: Route, call: UserCall): InputData => (query ? call.query() : call.body());

/** Registration accepts the custom attributes of the settings. */
function schemaOf({ custom, body, query }: Route, { registry, settings }: Deployment): BodySchema | undefined {
  if (custom !== 'allowed') return typeof query === 'object' ? query : body;
  const own = ownAttributes(systemType(registry, USER_UID));
  return registerWith(settings.users.register.allowedFields.filter((name) => own.has(name)));
}

/**
 * Returns a function that parses the input of a route as Strapi does, and validates it. It throws ApiError 400, which only
 * callers get who pass the precheck of the route.
 */
export function accountInput<A extends AccountAction>(
  route: AccountRoute & { readonly action: A },
  deployment: Deployment,
): (call: UserCall) => Promise<AccountInput<A>> {
  const schema = schemaOf(route, deployment);
  return async (call) => {
    if (!schema) return undefined as AccountInput<A>;
    try {
      const input = inputOf(route, call);
      return parseInput(route.action, schema, input, rejectsMixedRelations(call)) as AccountInput<A>;
    } catch (error) {
      return rejectInput(call, route.action, error);
    }
  };
}
