/**
 * @module Roles of the settings. Their rows only serve relations of users.
 */
import { memoized } from '../../common/cache.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { roleNames } from '../../schema/settings/derived.ts';
import type { Role } from './sql/roles.ts';

const BUILT_IN: ReadonlyMap<string, Pick<Role, 'id' | 'name' | 'description'>> = new Map([
  ['authenticated', { id: 1, name: 'Authenticated', description: 'Default role given to authenticated user.' }],
  ['public', { id: 2, name: 'Public', description: 'Default role given to unauthenticated user.' }],
]);

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
  const hash = hashOf(type);
  const capitalized = type.charAt(0).toUpperCase() + type.slice(1);
  const { id, name, description } = BUILT_IN.get(type) ?? { id: FIRST_ID + hash, name: capitalized, description: '' };
  return {
    type,
    id,
    documentId: details?.documentId ?? `role${readable}${hash.toString(36)}`.padEnd(ID_LENGTH, '0'),
    name: details?.name ?? name,
    description: details?.description ?? description,
  };
}

/** All roles, the built-in ones first. */
export const rolesOf = memoized(
  (settings: Settings): readonly Role[] => roleNames(settings).map((type) => roleOf(type, settings)),
  new WeakMap(),
);

/** The role of users who register. */
export const defaultRole = (settings: Settings): Role | undefined =>
  rolesOf(settings).find(({ type }) => type === settings.users.defaultRole);

/** undefined for a role that the settings no longer have. */
export const roleByDocumentId = (documentId: string | null, settings: Settings): Role | undefined =>
  rolesOf(settings).find((role) => role.documentId === documentId);
