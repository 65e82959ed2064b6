/**
 * @module Builds Strapi's rows and configuration from the settings: locales, roles, permissions.
 */
import { isOwnAction, roleActions } from '../../auth/grants.ts';
import { rolesOf } from '../../auth/roles.ts';
import type { Settings } from '../../config.ts';
import { LOCALE_UID, PERMISSION_UID } from '../../registry/plugin-schemas.ts';
import { ROLE_UID, systemType } from '../../registry/system-types.ts';
import { defaultLocale } from '../../settings.ts';
import { madeUpDocumentId } from '../core/archive/names.ts';
import type { Content } from './content.ts';

const timesOf = (now: string) => ({ createdAt: now, updatedAt: now, publishedAt: now, locale: null });

export function localeLines({ i18n }: Settings, now: string): readonly object[] {
  return i18n.locales.map(({ code, name, documentId, createdAt, updatedAt, publishedAt }, index) => ({
    type: LOCALE_UID,
    id: index + 1,
    data: {
      documentId: documentId ?? madeUpDocumentId(LOCALE_UID, index + 1),
      name,
      code,
      ...timesOf(now),
      ...(createdAt && { createdAt }),
      ...(updatedAt && { updatedAt }),
      ...(publishedAt && { publishedAt }),
    },
  }));
}

/** The stored rows have the times. */
export function roleLines({ settings, registry, rowsOf }: Content, now: string): readonly object[] {
  const timeOf = (time: unknown): string => (typeof time === 'number' ? new Date(time).toISOString() : now);
  const rows = [...rowsOf(systemType(registry, ROLE_UID))];
  return rolesOf(settings).map(({ documentId, name, description, type }, index) => {
    const row = rows.find((stored) => stored.document_id === documentId);
    const [createdAt, updatedAt, publishedAt] = [row?.created_at, row?.updated_at, row?.published_at].map(timeOf);
    const times = { createdAt, updatedAt, publishedAt, locale: null };
    return { type: ROLE_UID, id: index + 1, data: { documentId, name, description, type, ...times } };
  });
}

/** Each permission is a row that links to its role. Strapi has none for drafts and their publication. */
export function permissionLines({ settings, nextId, keep }: Content, now: string): readonly object[] {
  return rolesOf(settings).flatMap(({ type }, index) =>
    roleActions(settings, type)
      .filter((action) => !isOwnAction(action))
      .map((action, place) => {
        const id = nextId(PERMISSION_UID);
        keep({
          kind: 'relation.basic',
          relation: 'manyToOne',
          left: { type: PERMISSION_UID, field: 'role', ref: id },
          right: { type: ROLE_UID, field: 'permissions', ref: index + 1, pos: place + 1 },
        });
        const documentId = madeUpDocumentId(`${PERMISSION_UID} ${type} ${action}`, 1);
        return { type: PERMISSION_UID, id, data: { documentId, action, ...timesOf(now) } };
      }),
  );
}

const stored = (id: number, key: string, value: unknown): object => ({
  type: 'core-store',
  value: { id, key, value, type: typeof value, environment: null, tag: null },
});

export function configurationLines(settings: Settings): readonly object[] {
  const { users } = settings;
  const advanced = {
    unique_email: true,
    allow_register: users.allowRegistration,
    email_confirmation: users.emailConfirmation,
    email_reset_password: users.resetPasswordUrl || null,
    email_confirmation_redirection:
      users.emailConfirmationRedirection === '/' ? null : users.emailConfirmationRedirection,
    default_role: users.defaultRole,
  };
  return [
    stored(1, 'plugin_i18n_default_locale', defaultLocale(settings)),
    stored(2, 'plugin_users-permissions_advanced', advanced),
  ];
}
