/**
 * @module Validates the inputs of account routes; only callers who pass the precheck of the route get its errors.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { type BodySchema, registerWith } from '../registry/account-bodies.ts';
import type { AccountAction, AccountRoute } from '../registry/account-routes.ts';
import { systemType, USER_UID } from '../registry/system-types.ts';
import { ownAttributes } from '../registry/user-type.ts';
import type { InputData } from '../request/body.ts';
import { parseInput, rejectionOf } from '../users/body-rules.ts';
import type { UserCall } from '../users/call.ts';
import { rejectInput } from '../users/precheck.ts';
import type { AppEnv, Deployment } from './context.ts';
import { passJson } from './request-body.ts';

type Route = AccountRoute & { readonly action: AccountAction };
type Middleware = MiddlewareHandler<AppEnv>;

/** A refresh token in the cookie replaces the body. */
function inputOf({ action, query }: Route, call: UserCall): InputData {
  if (query) return call.query();
  return action === 'auth.refresh' && call.refreshCookie ? {} : call.body();
}

/** Parses queries, forms, and empty or malformed JSON as Strapi does, and passes the result on as JSON. */
const normalized =
  (route: Route): Middleware =>
  async (context, next) => {
    const call = context.get('userCall');
    try {
      passJson(context, inputOf(route, call));
    } catch (error) {
      await rejectInput(call, route.action, error);
    }
    await next();
  };

const validated = ({ action }: Route, schema: BodySchema): Middleware =>
  zValidator(
    'json',
    schema,
    async ({ data, ...result }, context) => {
      const rejection = rejectionOf(action, schema, data, result.success ? [] : result.error.issues);
      if (rejection) await rejectInput(context.get('userCall'), action, rejection);
    },
    { validationFunction: parseInput },
  );

/** Registration accepts the custom attributes of the settings. */
function schemaOf({ action, body, query }: Route, { registry, settings }: Deployment): BodySchema | undefined {
  if (action !== 'auth.register') return typeof query === 'object' ? query : body;
  const own = ownAttributes(systemType(registry, USER_UID));
  return registerWith(settings.users.register.allowedFields.filter((name) => own.has(name)));
}

export function inputMiddleware(route: Route, deployment: Deployment): readonly Middleware[] {
  const schema = schemaOf(route, deployment);
  return schema ? [normalized(route), validated(route, schema)] : [];
}
