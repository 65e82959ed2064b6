/**
 * @module `/api/content-type-builder`: the schemas of the deployment, read-only.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { requireGrant } from '../../access/grants.ts';
import { memoized } from '../../common/cache.ts';
import { invalid, notFound } from '../../common/errors.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import type { App, AppContext, AppEnv } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { decoded, lastSegment } from '../../http/request-url.ts';
import { respond } from '../../http/respond.ts';
import { type BuilderSchemas, builderSchemas, TYPES_QUERY } from './content-type-builder.ts';

/** Selects all types, or those of the validated `kind`. */
function typesOf({ contentTypes }: BuilderSchemas, { req }: AppContext) {
  const kind = req.query('kind');
  return contentTypes.filter(({ schema }) => kind === undefined || schema.kind === kind);
}

function itemOf<T extends { readonly uid: string }>(items: readonly T[], { req }: AppContext, message: string): T {
  const segment = lastSegment(req.raw);
  const uid = decoded(segment) ?? segment;
  const item = items.find((each) => each.uid === uid);
  if (!item) throw notFound(message);
  return item;
}

/** Types that are hidden in the content-type-builder are listed, but not found by uid, as in Strapi. */
function typeOf({ contentTypes }: BuilderSchemas, context: AppContext) {
  const visible = contentTypes.filter(({ schema }) => schema.visible);
  return itemOf(visible, context, 'contentType.notFound');
}

type Select = (schemas: BuilderSchemas, context: AppContext) => unknown;

const route = (path: string, action: string, select: Select) => ({
  method: 'GET',
  path: `/api/content-type-builder/${path}`,
  action: `plugin::content-type-builder.${action}`,
  select,
});

const ROUTES = [
  route('content-types', 'content-types.getContentTypes', typesOf),
  route('content-types/:uid', 'content-types.getContentType', typeOf),
  route('components', 'components.getComponents', ({ components }) => components),
  route('components/:uid', 'components.getComponent', ({ components }, context) =>
    itemOf(components, context, 'component.notFound'),
  ),
];

/** Adds the routes; the public role has Strapi's actions only if the settings grant them. */
export function addSchemaRoutes(app: App, deployment: Deployment): void {
  const schemas = memoized(() => builderSchemas(deployment.registry));
  const respondSelected = async (context: AppContext, action: string, select: Select) => {
    const call = await callOf(context, deployment);
    return bookmarked(context, call, async () => {
      const data = await withCredential(call, {}, async ({ grants }) => {
        requireGrant(grants, action);
        return select(schemas(), context);
      });
      return respond(context, { data });
    });
  };
  /** Only a caller with the grant gets validation errors. */
  const validated = (action: string): MiddlewareHandler<AppEnv> =>
    zValidator('query', TYPES_QUERY, (result, context) => {
      if (result.success) return undefined;
      return respondSelected(context, action, () => {
        throw invalid(result.error.issues[0]?.message ?? '');
      });
    });
  addRoutes(app, ROUTES, ({ action, select }) => [
    ...(select === typesOf ? [validated(action)] : []),
    (context) => respondSelected(context, action, select),
  ]);
}
