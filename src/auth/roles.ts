/**
 * @module Roles: configuration, with rows in the database only so that users can be linked to them, filtered and
 * populated by them.
 */
import { roleNames, type Settings } from '../config.ts';
import type { Role } from '../sql/accounts/roles.ts';

const BUILT_IN: Readonly<Record<string, Pick<Role, 'id' | 'name' | 'description'>>> = {
  authenticated: { id: 1, name: 'Authenticated', description: 'Default role given to authenticated user.' },
  public: { id: 2, name: 'Public', description: 'Default role given to unauthenticated user.' },
};

const FIRST_ID = 3;
const ID_LENGTH = 24;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function roleOf(type: string, { users }: Settings): Role {
  const details = Object.hasOwn(users.roleDetails, type) ? users.roleDetails[type] : undefined;
  const readable = type
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 12);
  const documentId = `role${readable}${hashOf(type).toString(36)}`.padEnd(ID_LENGTH, '0');
  const name = type.charAt(0).toUpperCase() + type.slice(1);
  const id = FIRST_ID + hashOf(type);
  const usual = { documentId, ...(BUILT_IN[type] ?? { id, name, description: '' }) };
  return {
    type,
    id: usual.id,
    documentId: details?.documentId ?? usual.documentId,
    name: details?.name ?? usual.name,
    description: details?.description ?? usual.description,
  };
}

/** Every role of the deployment, the built-in ones first. */
export const rolesOf = (settings: Settings): readonly Role[] =>
  roleNames(settings).map((type) => roleOf(type, settings));

/** The role of users who name none; undefined when the settings have no such role. */
export const defaultRole = (settings: Settings): Role | undefined =>
  rolesOf(settings).find(({ type }) => type === settings.users.defaultRole);

/** The role that a link names; undefined when the settings no longer have it. */
export const roleByDocumentId = (documentId: string | null, settings: Settings): Role | undefined =>
  rolesOf(settings).find((role) => role.documentId === documentId);
