/**
 * @module `/api/content-type-builder`: the schemas of the deployment, read-only. Tools that sync a site read them first.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { requireGrant } from '../auth/grants.ts';
import { type BuilderSchemas, builderSchemas, TYPES_QUERY } from '../describe/content-type-builder.ts';
import { invalid, notFound } from '../errors.ts';
import { withCredential } from '../execute/caller.ts';
import { bookmarked, callOf } from './call.ts';
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

/** Those of the kind that the validated query names, or all. */
function typesOf({ contentTypes }: BuilderSchemas, { req }: AppContext) {
  const kind = req.query('kind');
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
  action: `plugin::content-type-builder.${action}`,
  select,
});

const ROUTES = [
  route('content-types', 'content-types.getContentTypes', typesOf),
  route('content-types/:uid', 'content-types.getContentType', typeOf),
  route('components', 'components.getComponents', ({ components }) => components),
  route('components/:uid', 'components.getComponent', componentOf),
];

/** Adds the routes; each requires Strapi's action, which the public role has only if the settings grant it. */
export function addSchemaRoutes(app: App, deployment: Deployment): void {
  let schemas: BuilderSchemas | undefined;
  const answer = async (context: AppContext, action: string, select: Select) => {
    const call = await callOf(context, deployment);
    return bookmarked(context, call, async () => {
      const data = await withCredential(call, {}, async ({ grants }) => {
        requireGrant(grants, action);
        schemas ??= builderSchemas(deployment.registry);
        return select(schemas, context);
      });
      return respond(context, { data });
    });
  };
  /** Only a caller with the grant sees what is wrong with the query. */
  const validated = (action: string): MiddlewareHandler<AppEnv> =>
    zValidator('query', TYPES_QUERY, (result, context) => {
      if (result.success) return undefined;
      return answer(context, action, () => {
        throw invalid(result.error.issues[0]?.message ?? '');
      });
    });
  addRoutes(app, ROUTES, ({ action, select }) => [
    ...(select === typesOf ? [validated(action)] : []),
    (context) => answer(context, action, select),
  ]);
}
