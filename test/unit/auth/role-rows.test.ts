/**
 * @module The rows of roles, which follow from the settings.
 */
import { expect, it } from 'vitest';
import { defaultRole, roleByDocumentId, rolesOf } from '../../../src/content/credentials/roles.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const NAMES = ['a-b', 'ab', 'abcdefghijklmno', 'constructor', '日本'];
const settings = parseSettings({ roles: Object.fromEntries(NAMES.map((name) => [name, []])) });
const roles = rolesOf(settings);

it('have the ids and names of Strapi where Strapi has the role, and otherwise those of the name', () => {
  expect(roles.slice(0, 2)).toMatchObject([
    { type: 'authenticated', id: 1, name: 'Authenticated', description: 'Default role given to authenticated user.' },
    { type: 'public', id: 2, name: 'Public', description: 'Default role given to unauthenticated user.' },
  ]);
  expect(roles.slice(2).map(({ name, description }) => [name, description])).toEqual(
    ['A-b', 'Ab', 'Abcdefghijklmno', 'Constructor', '日本'].map((name) => [name, '']),
  );
});

it('have an id and a documentId each, which are the same on every deployment', () => {
  for (const key of ['id', 'documentId'] as const)
    expect(new Set(roles.map((role) => role[key])).size).toBe(NAMES.length + 2);
  for (const { documentId } of roles) expect(documentId).toMatch(/^role[a-z0-9]{20}$/);
  expect(rolesOf(parseSettings({ roles: { 'a-b': [] } })).at(-1)).toEqual(roles[2]);
});

it('have the details that the settings give them', () => {
  const own = { documentId: 'imported', name: 'Editors', description: 'They edit' };
  const detailed = parseSettings({ roles: { ed: [] }, users: { roleDetails: { ed: own, public: { name: 'All' } } } });
  expect(rolesOf(detailed)).toMatchObject([{ id: 1 }, { id: 2, name: 'All' }, { type: 'ed', ...own }]);
  expect(roleByDocumentId('imported', detailed)?.type).toBe('ed');
});

it('are found by what names them', () => {
  expect(defaultRole(settings)).toBe(roles[0]);
  expect(roleByDocumentId(roles[1]?.documentId ?? '', settings)).toBe(roles[1]);
  expect([null, 'gone'].map((id) => roleByDocumentId(id, settings))).toEqual([undefined, undefined]);
});
