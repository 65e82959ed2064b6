/**
 * @module `/api/upload` in the OpenAPI document, for callers with limited grants.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { rulesOf } from '../../../src/access/rule.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import { describeApi } from '../../support/describe-api.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('story', { cover: { type: 'media', multiple: false } }, { drafts: true, plural: 'stories' }),
  contentType('note', { text: { type: 'string' } }),
]);
const UPLOAD = 'plugin::upload.content-api.upload';
const UPDATE = 'api::story.story.update';

/** Returns the names of the fields of the form and of the JSON body, except for those of files. */
function fieldsFor(...granted: readonly (string | ConditionalGrant)[]): readonly (readonly string[])[] {
  const ids = [UPLOAD, ...granted.map((grant) => (typeof grant === 'string' ? grant : UPDATE))];
  const rules = rulesOf(granted);
  const grants: Grants = { ...only(ids), ...(rules && { rule: rules({ user: undefined, now: 0 }) }) };
  const { paths } = describeApi(registry, parseSettings({}), grants);
  const { post } = paths['/api/upload'] as { post: { requestBody: { content: Record<string, { schema: object }> } } };
  return Object.values(post.requestBody.content).map(({ schema }) =>
    Object.keys((schema as { properties: object }).properties).filter((name) => !name.startsWith('file')),
  );
}

/** `field` begins like `fileInfo`, but not with `file`. */
const ATTACHED = ['ref', 'refId', 'field'];

describe('the description of an upload', () => {
  it.each([
    ['may update nothing', []],
    ['may update a type without files alone', ['api::note.note.update']],
    ['may update some documents of a type', [{ action: UPDATE, where: { id: '1' } }]],
    ['may write drafts only', [{ action: UPDATE, status: 'draft' as const }]],
  ] as const)('has no ref, refId and field for a caller who %s', (_, granted) => {
    expect(fieldsFor(...granted)).toEqual([[], []]);
  });

  it('has ref, refId and field for a caller who may update a type with files', () => {
    expect(fieldsFor(UPDATE)).toEqual([ATTACHED, ATTACHED]);
  });
});

describe('the description of folders and private files', () => {
  const settings = { server: { url: 'https://api.example.com' }, upload: { folders: true, private: true } } as const;
  const { paths } = describeApi(registry, parseSettings(settings)) as unknown as {
    paths: Record<string, Record<string, { requestBody?: object; parameters?: object[]; responses?: object }>>;
  };
  const schemaOf = (body: unknown) =>
    (body as { content: { 'application/json': { schema: object } } }).content['application/json'].schema;
  const bodyOf = (method: string, path: string) => schemaOf(paths[path]?.[method]?.requestBody);

  it('has what a folder may be given, and what it shows', () => {
    const properties = {
      name: { type: 'string' },
      parent: { type: ['integer', 'null'] },
      private: { type: 'boolean' },
    };
    expect(bodyOf('post', '/api/upload/folders')).toMatchObject({ properties, required: ['name'] });
    expect(bodyOf('put', '/api/upload/folders/{id}')).toMatchObject({ properties });
    expect(bodyOf('put', '/api/upload/folders/{id}')).not.toHaveProperty('required');
    const { responses } = paths['/api/upload/folders/{id}']?.get ?? {};
    const { properties: shown } = schemaOf((responses as Record<string, object>)['200']) as {
      properties: { data: object };
    };
    expect(shown.data).toMatchObject({
      properties: {
        ...{ id: { type: 'integer' }, documentId: { type: 'string' }, name: { type: 'string' } },
        ...{ pathId: { type: 'integer' }, path: { type: 'string' }, private: { type: 'boolean' } },
        ...{ createdAt: { type: 'string' }, updatedAt: { type: 'string' } },
        parent: {
          type: ['object', 'null'],
          properties: { id: { type: 'integer' }, documentId: { type: 'string' }, name: { type: 'string' } },
        },
      },
    });
  });

  it('has every route of them', () => {
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes.filter((route) => /folders|sign/.test(route) && !route.startsWith('parameters')).toSorted()).toEqual([
      ...['delete /api/upload/folders/{id}', 'get /api/upload/folders', 'get /api/upload/folders/{id}'],
      ...['get /api/upload/folders/{id}/files', 'post /api/upload/files/{id}/actions/sign'],
      ...['post /api/upload/folders', 'put /api/upload/folders/{id}'],
    ]);
    const [id] = (paths['/api/upload/folders/{id}/files']?.parameters as unknown as object[]) ?? [];
    expect(id).toMatchObject({ name: 'id', in: 'path', description: '`root` for files in no folder' });
  });

  it('has what a signature takes and gives', () => {
    const path = '/api/upload/files/{id}/actions/sign';
    expect(bodyOf('post', path)).toMatchObject({
      required: ['expiresIn'],
      properties: {
        expiresIn: { type: 'integer', minimum: 1, maximum: 604_800 },
        size: { properties: { w: { type: 'integer' }, h: { type: 'integer' }, f: {}, fit: {}, q: {} } },
      },
    });
    const { responses } = paths[path]?.post ?? {};
    const { properties } = schemaOf((responses as Record<string, object>)['200']) as { properties: { data: object } };
    expect(properties.data).toMatchObject({ required: ['url', 'expiresAt'] });
    const parameters = paths['/uploads/{key}']?.parameters as unknown as readonly { name: string }[];
    expect(parameters.map(({ name }) => name)).toEqual(['key', 'expires', 'signature']);
  });

  it.each([['find'], ['findOne']])('has a signature for a caller who may %s files', (action) => {
    const grants = only([`plugin::upload.content-api.${action}`]);
    const described = describeApi(registry, parseSettings(settings), grants).paths;
    expect(Object.keys(described)).toContain('/api/upload/files/{id}/actions/sign');
    expect(Object.keys(describeApi(registry, parseSettings(settings), only([UPLOAD])).paths)).not.toContain(
      '/api/upload/files/{id}/actions/sign',
    );
  });
});
