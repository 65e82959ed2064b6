/**
 * @module Builds rows that Strapi has and Edgewise does not store, from settings and from paths of files: locales, roles,
 * permissions, links of folders; and the configuration.
 */
import { isOwnAction, roleActions } from '../../src/access/grants.ts';
import { rolesOf } from '../../src/content/credentials/roles.ts';
import { LOCALE_UID, PERMISSION_UID } from '../../src/features/description/plugin-schemas.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { defaultLocale } from '../../src/schema/settings/derived.ts';
import { FILE_UID, FOLDER_UID, ROLE_UID, systemType } from '../../src/schema/system-types.ts';
import { madeUpDocumentId } from '../core/archive/names.ts';
import type { Content } from './content.ts';
import { limitedGrants } from './limited-grants.ts';

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

/**
 * Each permission is a row that links to its role. Strapi has none for drafts and their publication, and none with
 * conditions.
 * @param isPlain are those with conditions exported without them?
 */
export function permissionLines({ settings, nextId, keep }: Content, now: string, isPlain: boolean): readonly object[] {
  const limited = new Set(limitedGrants(settings).map(({ role, action }) => `${role} ${action}`));
  return rolesOf(settings).flatMap(({ type }, index) =>
    roleActions(settings, type)
      .filter((action) => !isOwnAction(action) && (isPlain || !limited.has(`${type} ${action}`)))
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

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Paths of folders that files name, parents included. */
function namedFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; /^(\/\d+)+$/.test(at); at = parentOf(at)) all.add(at);
  return all;
}

interface End {
  readonly type: string;
  readonly field: string;
  readonly ref: number;
}

/** Keeps the links of folders. Returns the folders without a row, which files of earlier versions name: their names are numbers. */
export function folderLines({ registry, rowsOf, keep }: Content, now: string): readonly object[] {
  const rows = rowsOf(systemType(registry, FILE_UID));
  const files = Array.from(rows, ({ id, folder_path: path }) => ({ id: Number(id), path: String(path) }));
  const stored = [...rowsOf(systemType(registry, FOLDER_UID))].map(
    (row) => [String(row.path), Number(row.id)] as const,
  );
  const folders = new Map(stored);
  const last = Math.max(0, ...folders.values());
  const missing = [...namedFolders(files.map(({ path }) => path))].filter((path) => !folders.has(path)).sort();
  for (const [index, path] of missing.entries()) folders.set(path, last + index + 1);
  const link = (kind: string, left: End, field: string, path: string): void => {
    const ref = folders.get(path);
    if (ref === undefined) return;
    const right = { type: FOLDER_UID, field, ref, pos: left.ref };
    keep({ kind: `relation.${kind}`, relation: 'manyToOne', left, right });
  };
  for (const { id, path } of files) link('basic', { type: FILE_UID, field: 'folder', ref: id }, 'files', path);
  for (const [path, id] of folders)
    link('circular', { type: FOLDER_UID, field: 'parent', ref: id }, 'children', parentOf(path));
  return missing.map((path) => {
    const id = folders.get(path);
    const pathId = Number(path.slice(path.lastIndexOf('/') + 1));
    const documentId = madeUpDocumentId(FOLDER_UID, pathId);
    return { type: FOLDER_UID, id, data: { documentId, name: `Folder ${pathId}`, pathId, path, ...timesOf(now) } };
  });
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
