/**
 * @module `GET /openapi.json`: the operations that the caller is granted.
 */
import { contentActions, PLUGIN_ACTIONS } from '../../access/actions.ts';
import { type Grants, only, roleGrants } from '../../access/grants.ts';
import { cachedRead } from '../../content/runtime/cached-response.ts';
import type { Call } from '../../content/runtime/call.ts';
import { constant, mapped } from '../../content/sql/compiled.ts';
import { respondConditionally } from '../../http/cache-headers.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { accountActionId } from '../../schema/account-routes.ts';
import { EVERY_STAMP } from '../../schema/names.ts';
import { roleNames } from '../../schema/settings/derived.ts';
import { describeOpenApi } from './openapi.ts';

export const DESCRIPTION_PATH = '/openapi.json';

const CACHE_KEYS = { responseKey: DESCRIPTION_PATH, planKey: DESCRIPTION_PATH, named: null };

/** Responds from the cache to callers with the same grants. */
export function descriptionRoute(deployment: Deployment) {
  const { registry, settings, explainsRights } = deployment;
  // A server of `npm run dev` is reached by several names: clients take the one that the description came from.
  const described = explainsRights ? { ...settings, server: { ...settings.server, url: '' } } : settings;
  const features = deployment.features.flatMap(({ description }) => description ?? []);
  const actions = [...contentActions(registry), ...PLUGIN_ACTIONS];
  const roles = roleNames(settings);
  const managers = roles.filter(
    (name) => name !== 'public' && roleGrants(settings, name).allows(accountActionId('user.update')),
  );
  /** Returns what concerns the role of a caller; nothing for API tokens. The settings may lack the role of a user. */
  const roleExtensions = ({ role: roleOf }: Grants) => {
    const role = roleOf?.();
    if (role === undefined) return {};
    return {
      ...(roles.includes(role) && { 'x-role': role }),
      ...(role !== 'public' && { 'x-user-managers': managers }),
    };
  };
  const describe = cachedRead({
    keysOf: () => CACHE_KEYS,
    plan(_: Call, { grants }) {
      const granted = actions.filter((id) => grants.allows(id));
      const limited = { ...only(granted), rule: grants.rule };
      const ofRole = roleExtensions(grants);
      const work = mapped(constant(limited), (reader) => ({
        body: { ...describeOpenApi(registry, described, features, reader), ...ofRole },
      }));
      return { names: [EVERY_STAMP], work };
    },
  });
  return async function description(context: AppContext): Promise<Response> {
    const call = await callOf(context, deployment);
    return bookmarked(context, call, async () => respondConditionally(context, await describe(call), call));
  };
}
