/**
 * @module The action ids that roles and tokens may name, as in Strapi: `api::article.article.find`.
 */

import { ACCOUNT_ACTIONS, accountActionId } from '../schema/account-routes.ts';
import type { Registry } from '../schema/model.ts';
import { PUBLICATION_ACTIONS } from '../schema/publication.ts';
import { READ_PRIVATE } from '../schema/secret-attributes.ts';
import type { Settings } from '../schema/settings/config.ts';
import { actionsOf, type Grant } from './rule.ts';

export const isPrivateAction = (id: string): boolean => id.endsWith(`.${READ_PRIVATE}`);

const COLLECTION = [
  'find',
  'findOne',
  'create',
  'update',
  'delete',
  'previewLink',
  'history',
  'restore',
  READ_PRIVATE,
] as const;
const SINGLE = ['find', 'update', 'delete', 'previewLink', 'history', 'restore', READ_PRIVATE] as const;

/** Of types with drafts; Edgewise's own, since Strapi's REST API has neither a right to drafts nor publication. */
const DRAFTS = ['readDrafts', ...PUBLICATION_ACTIONS] as const;

/** Every action of the content types. */
export function contentActions(registry: Registry): readonly string[] {
  const types = [...registry.contentTypes.values()].filter((type) => !type.system);
  return types.flatMap(({ uid, kind, draftAndPublish }) => {
    const names: readonly string[] = kind === 'singleType' ? SINGLE : COLLECTION;
    return [...names, ...(draftAndPublish ? DRAFTS : [])].map((name) => `${uid}.${name}`);
  });
}

/** Actions of the other plugins of a fresh Strapi, by plugin and controller. */
const PLUGIN_CONTROLLERS: Readonly<Record<string, string>> = {
  'upload.content-api': 'destroy find findOne upload',
  'i18n.locales': 'listLocales',
  'content-type-builder.components': 'getComponent getComponents',
  'content-type-builder.content-types': 'getContentType getContentTypes',
  'email.email': 'send',
  // Strapi has folders in its admin panel alone.
  'upload.folder': 'create delete find update',
};

export const PLUGIN_ACTIONS: readonly string[] = [
  ...ACCOUNT_ACTIONS.map(({ action }) => accountActionId(action)),
  ...Object.entries(PLUGIN_CONTROLLERS).flatMap(([controller, actions]) =>
    actions.split(' ').map((action) => `plugin::${controller}.${action}`),
  ),
];

export const UPLOAD_ACTION = 'plugin::upload.content-api.upload';

const DRAFT_WRITES: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'discardDraft', 'restore']);

/** May the effect of an action be a draft, or a new file? A grant with `status: 'draft'` grants no others. */
export function canBeDraft(id: string, { contentTypes }: Registry): boolean {
  const dot = id.lastIndexOf('.');
  const type = contentTypes.get(id.slice(0, dot));
  return id === UPLOAD_ACTION || (type?.draftAndPublish === true && DRAFT_WRITES.has(id.slice(dot + 1)));
}

export const isPattern = (action: string): boolean => action.includes('*');

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

/** The action ids that match a pattern; `*` stands for any characters. */
export function matchingActions(registry: Registry, pattern: string): readonly string[] {
  const id = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
  return [...contentActions(registry), ...PLUGIN_ACTIONS].filter(
    (action) => id.test(action) && !isPrivateAction(action),
  );
}

/** Replaces each pattern by the action ids that it matches; with `status: 'draft'`, by those that may write drafts. */
export function withNames(grants: readonly Grant[], registry: Registry): Grant[] {
  const named = (action: string) => (isPattern(action) ? matchingActions(registry, action) : [action]);
  const all = grants.flatMap((grant): readonly Grant[] => {
    if (typeof grant === 'string') return named(grant);
    const isMeant = (id: string, action: string) => !grant.status || id === action || canBeDraft(id, registry);
    return [{ ...grant, action: actionsOf(grant).flatMap((each) => named(each).filter((id) => isMeant(id, each))) }];
  });
  return [...new Set(all)];
}

/** Replaces each pattern of `roles` by the action ids that it matches. */
export function withNamedActions(settings: Settings, registry: Registry): Settings {
  const roles = Object.entries(settings.roles).map(([role, grants]) => [role, withNames(grants, registry)] as const);
  return { ...settings, roles: Object.fromEntries(roles) };
}
