/**
 * @module `/api/content-type-builder`: the schemas of the deployment, read-only. Tools that sync a site read them first.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { refuseUnless } from '../auth/grants.ts';
import { type BuilderSchemas, builderSchemas, TYPES_QUERY, type TypesQuery } from '../describe/content-type-builder.ts';
import { invalid, notFound } from '../errors.ts';
import type { Call } from '../execute/call.ts';
import { withCredential } from '../execute/caller.ts';
import { bookmarkedNext, callOf } from './call.ts';
import type { App, AppContext, AppEnv, Deployment } from './context.ts';
import { addRoutes } from './methods.ts';
import { addressOf, decoded } from './request-url.ts';
import { respond } from './respond.ts';

const PATH = '/api/content-type-builder';

/** The part of the path behind `content-types/`: names keep their case there. */
function uidOf({ req }: AppContext): string {
  const [, segment = ''] = /\/(?:content-types|components)\/([^/]+)\/?$/i.exec(addressOf(req.raw).pathname) ?? [];
  return decoded(segment) ?? segment;
}

/** Those of the kind that the query names, or all. */
function typesOf({ contentTypes }: BuilderSchemas, { req }: AppContext) {
  const { kind } = req.valid('query' as never) as TypesQuery;
  return contentTypes.filter(({ schema }) => kind === undefined || schema.kind === kind);
}

/** Types that are not visible in the content-type-builder are listed, but not found by their uid, as in Strapi. */
function typeOf({ contentTypes }: BuilderSchemas, context: AppContext) {
  const uid = uidOf(context);
  const type = contentTypes.find((item) => item.uid === uid && item.schema.visible);
  if (!type) throw notFound('contentType.notFound');
  return type;
}

function componentOf({ components }: BuilderSchemas, context: AppContext) {
  const uid = uidOf(context);
  const component = components.find((item) => item.uid === uid);
  if (!component) throw notFound('component.notFound');
  return component;
}

type Select = (schemas: BuilderSchemas, context: AppContext) => unknown;

const route = (path: string, action: string, select: Select) => ({
  method: 'GET',
  path: `${PATH}/${path}`,
  action,
  select,
});

const ROUTES = [
  route('content-types', 'content-types.getContentTypes', typesOf),
  route('content-types/:uid', 'content-types.getContentType', typeOf),
  route('components', 'components.getComponents', ({ components }) => components),
  route('components/:uid', 'components.getComponent', componentOf),
] as const;

const asGranted = <T>(call: Call, action: string, block: () => T): Promise<T> =>
  withCredential(call, {}, async ({ grants }) => {
    refuseUnless(grants, `plugin::content-type-builder.${action}`);
    return block();
  });

/** Reports what is wrong with the query to callers with the grant. */
const validated = (action: string): MiddlewareHandler<AppEnv> =>
  zValidator('query', TYPES_QUERY, async (result, context) => {
    if (result.success) return;
    await asGranted(context.get('call'), action, () => {
      throw invalid(result.error.issues[0]?.message ?? '');
    });
  });

/** Adds the routes; each requires Strapi's action, which the public role has only if the settings grant it. */
export function addSchemaRoutes(app: App, deployment: Deployment): void {
  let schemas: BuilderSchemas | undefined;
  const started: MiddlewareHandler<AppEnv> = async (context, next) => {
    const call = await callOf(context, deployment);
    context.set('call', call);
    await bookmarkedNext(context, call, next);
  };
  addRoutes(app, ROUTES, ({ action, select }) => [
    started,
    ...(select === typesOf ? [validated(action)] : []),
    async (context) => {
      const data = await asGranted(context.get('call'), action, () => {
        schemas ??= builderSchemas(deployment.registry);
        return select(schemas, context);
      });
      return respond(context, { data });
    },
  ]);
}
