/**
 * @module Users with attributes of their own, in archives: in, out, and in again.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { exportArchive } from '../../../../cli/export/export.ts';
import { chooseTypes, differencesOf, typeChanges } from '../../../../cli/import/place-types.ts';
import { readSchemaFiles, registryOf } from '../../../../cli/project/project.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { archiveOf } from '../../../support/archive.ts';
import { scratchProject } from '../scratch-project.ts';
import { contentOf, fileOf, importBytes, useTestStorage } from './imported.ts';
import { link, MAGAZINE, media, relation } from './magazine.ts';

const USER = 'plugin::users-permissions.user';

const user = {
  ...{ collectionName: 'up_users', kind: 'collectionType', modelType: 'contentType', modelName: 'user' },
  info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { draftAndPublish: false, timestamps: true },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
    resetPasswordToken: { type: 'string', configurable: false, private: true },
    role: relation('manyToOne', 'plugin::users-permissions.role', { inversedBy: 'users', configurable: false }),
    nickname: { type: 'string', unique: true },
    pin: { type: 'password', private: true },
    face: { type: 'media' },
    favorites: relation('manyToMany', 'api::article.article', { inversedBy: 'fans' }),
    home: { type: 'component', component: 'shared.card' },
    badge: relation('oneToOne', 'api::badge.badge'),
    createdAt: { type: 'datetime' },
  },
  ...{ uid: USER, plugin: 'users-permissions', globalId: 'UsersPermissionsUser' },
};

interface Row {
  readonly type?: string;
  readonly uid?: string;
  readonly attributes?: object;
  readonly data?: object;
}

const withFans = (schema: Row) =>
  schema.uid === 'api::article.article'
    ? { ...schema, attributes: { ...schema.attributes, fans: relation('manyToMany', USER, { mappedBy: 'favorites' }) } }
    : schema;
const withNickname = (row: Row) =>
  row.type === USER
    ? { ...row, data: { ...row.data, nickname: 'Nan', pin: '$2a$10$pin', home: { id: 30, label: 'house' } } }
    : row;

const ARCHIVE = {
  ...MAGAZINE,
  schemas: [...(MAGAZINE.schemas as readonly Row[]).map(withFans), user],
  entities: (MAGAZINE.entities as readonly Row[]).map(withNickname),
  links: [
    ...MAGAZINE.links,
    link(
      { type: USER, field: 'favorites', ref: 5, pos: 1 },
      { type: 'api::article.article', field: 'fans', ref: 14, pos: 1 },
    ),
    media(3, 1, USER, 'face', 5),
    link({ type: 'shared.card', field: 'tag', ref: 30 }, { type: 'api::tag.tag', ref: 21 }, 'oneToOne'),
  ],
};

const project = scratchProject();
const storage = await useTestStorage();

afterAll(() => project.remove('.'));

describe('users of an archive', () => {
  it('bring a file for what they have of their own, which is as a difference where it is missing', async () => {
    const { files, registry, warnings } = await importBytes(await archiveOf(ARCHIVE));
    expect(files.user?.path).toBe('content-types/extensions/users-permissions/user/schema.json');
    expect(warnings.join('\n')).toMatch(/users-permissions\.user\.badge is a relation to api::badge\.badge/);
    const { files: without, registry: fewer } = await importBytes(await archiveOf(MAGAZINE));
    expect(without.user).toBeUndefined();
    expect(differencesOf(registry, fewer)).toContain(`${USER}.nickname: not there`);
    writeFiles(project.root, typeChanges(project.root, files));
    expect(differencesOf(registry, registryOf(await readSchemaFiles(project.root)))).toEqual([]);
    expect(project.read(files.user?.path ?? '')).not.toMatch(/badge|createdAt/);
    const options = { replaceTypes: false, force: false };
    expect(await chooseTypes(project.root, registry, options)).toEqual({
      ...{ write: false, differences: [] },
    });
  });

  it('come with their values, links, files and components, go out, and come back the same', async () => {
    const bytes = await archiveOf(ARCHIVE);
    const dry = await importBytes(bytes);
    await storage.prepare(dry.registry);
    const { registry, settings } = await importBytes(bytes, storage);
    const row = await storage.db.prepare('select nickname, pin, home, reset_password_token from up_users').first();
    expect(row).toMatchObject({ nickname: 'Nan', pin: '$2a$10$pin', reset_password_token: null });
    expect(JSON.parse(String(row?.home))).toMatchObject({ label: 'house', tag: [{ documentId: 'tagred' }] });
    for (const table of ['up_users_favorites_lnk', 'up_users_face_lnk'])
      expect(await storage.db.prepare(`select count(*) as "links" from ${table}`).first()).toEqual({ links: 1 });
    writeFiles(project.root, typeChanges(project.root, dry.files));
    const path = fileOf(Buffer.alloc(0));
    await exportArchive({ root: project.root, storage, registry, settings, path, withoutFiles: false });
    const text = gunzipSync(readFileSync(path)).toString();
    expect(text).toContain(`"field":"favorites"`);
    const before = await contentOf(storage);
    await storage.clear();
    const again = await importBytes(readFileSync(path), storage);
    expect(again.files.user?.json).toMatchObject({ attributes: { nickname: { unique: true }, home: {} } });
    const told = (content: unknown) => JSON.stringify(content).replaceAll(/\\"id\\+":\d+/g, 'id');
    expect(told(await contentOf(storage))).toBe(told(before));
    expect(told(before)).toContain('Nan');
  });
});
