/**
 * @module The action ids that roles and tokens may name, as in Strapi: `api::article.article.find`.
 */
import { ACCOUNT_ACTIONS, accountActionId } from '../registry/account-routes.ts';
import type { Registry } from '../registry/model.ts';

const COLLECTION = ['find', 'findOne', 'create', 'update', 'delete'] as const;
const SINGLE = ['find', 'update', 'delete'] as const;

/** Every action of the content types. `readDrafts` is Edgewise's own: Strapi has no right to drafts. */
export function contentActions(registry: Registry): readonly string[] {
  const types = [...registry.contentTypes.values()].filter((type) => !type.system);
  return types.flatMap(({ uid, kind, draftAndPublish }) => {
    const names: readonly string[] = kind === 'singleType' ? SINGLE : COLLECTION;
    return [...names, ...(draftAndPublish ? ['readDrafts'] : [])].map((name) => `${uid}.${name}`);
  });
}

/** What the other plugins of a fresh Strapi let roles do: plugin and controller → its actions. */
const PLUGIN_CONTROLLERS: Readonly<Record<string, string>> = {
  'upload.content-api': 'destroy find findOne upload',
  'i18n.locales': 'listLocales',
  'content-type-builder.components': 'getComponent getComponents',
  'content-type-builder.content-types': 'getContentType getContentTypes',
  'email.email': 'send',
};

export const PLUGIN_ACTIONS: readonly string[] = [
  ...ACCOUNT_ACTIONS.map(({ action }) => accountActionId(action)),
  ...Object.entries(PLUGIN_CONTROLLERS).flatMap(([controller, actions]) =>
    actions.split(' ').map((action) => `plugin::${controller}.${action}`),
  ),
];
