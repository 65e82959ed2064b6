/**
 * @module The OpenAPI document: its paths, answers and parameters, and that every reference in it leads somewhere.
 */
import { describe, expect, it } from 'vitest';
import { LOGIC, OPERATORS } from '../../../src/content/request/operators.ts';
import { PUBLICATION_FILTERS } from '../../../src/content/request/publication-filters.ts';
import type { OpenApiDocument } from '../../../src/features/description/openapi.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { reversedMagazine, settings } from './fixture.ts';
import { at, described, type Json, schema } from './reading.ts';

/** Names of the parameters of an operation, of the path included. */
function parametersOf(document: OpenApiDocument, path: string, verb: string): string[] {
  const lists = [at(document, 'paths', path, 'parameters') ?? [], at(document, 'paths', path, verb, 'parameters')];
  const names = lists.map((list) => (list as Json[]).map((_, index) => index));
  const read = (place: readonly string[]) => (index: number) =>
    String(at(document, 'paths', path, ...place, 'parameters', index, 'name'));
  return [...(names[0] ?? []).map(read([])), ...(names[1] ?? []).map(read([verb]))];
}

const statuses = (document: OpenApiDocument, path: string, verb: string) =>
  Object.keys(at(document, 'paths', path, verb, 'responses') as Json);

function walk(value: unknown, visit: (node: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json);
  for (const child of Object.values(value)) walk(child, visit);
}

describe('describeOpenApi', () => {
  it('has no reference without a target and no schema without a use', () => {
    const document = described();
    const targets = new Set<string>();
    walk(document, ({ $ref }) => {
      if (typeof $ref === 'string') targets.add($ref);
    });
    for (const target of targets) expect(at(document, ...target.slice(2).split('/')), target).toBeDefined();
    const sections = ['schemas', 'parameters', 'responses'];
    const defined = sections.flatMap((section) =>
      Object.keys(document.components[section] ?? {}).map((name) => `#/components/${section}/${name}`),
    );
    expect(defined.filter((name) => !targets.has(name))).toEqual([]);
  });

  it('names the attributes that stand for a documentId, to whom may use them', () => {
    const unique = { type: 'string', unique: true };
    const files = [
      contentType('book', {
        slug: { type: 'uid' },
        isbn: unique,
        code: { ...unique, private: true },
        title: { type: 'string' },
      }),
      contentType('home', { slug: unique }, { single: true }),
      contentType('plain', { title: { type: 'string' } }),
    ];
    const lookupsOf = (input: SettingsInput, roles?: readonly string[], path = '/api/books/{documentId}') => {
      const grants = roles && { allows: (id: string) => roles.includes(id) };
      const operation = at(describeApi(registryOf(files), settings(input), grants), 'paths', path, 'get') as Json;
      expect(Object.hasOwn(operation, 'description')).toBe(Object.hasOwn(operation, 'x-lookups'));
      return operation['x-lookups'];
    };
    expect(lookupsOf({})).toEqual(['slug', 'isbn']);
    expect(lookupsOf({ api: { rest: { extensions: false } } })).toBeUndefined();
    expect(lookupsOf({}, undefined, '/api/home')).toBeUndefined();
    expect(lookupsOf({}, undefined, '/api/plains/{documentId}')).toBeUndefined();
    const [findOne, find] = ['api::book.book.findOne', 'api::book.book.find'];
    expect(lookupsOf({}, [findOne])).toBeUndefined();
    expect(lookupsOf({}, [findOne, find])).toEqual(['slug', 'isbn']);
  });

  it('has fallback for types with locales, where a locale has others that stand in', () => {
    const file = (name: string, localized: boolean) => contentType(name, { title: { type: 'string' } }, { localized });
    const registry = registryOf([file('page', true), file('plain', false)]);
    const fallbackOf = (input: SettingsInput) =>
      ['/api/pages', '/api/pages/{documentId}', '/api/plains'].map((path) =>
        JSON.stringify(at(describeApi(registry, settings(input)), 'paths', path, 'get')).includes(
          'parameters/Fallback',
        ),
      );
    const en = { code: 'en', name: 'en' };
    const chain = { i18n: { locales: [en, { code: 'fr', name: 'fr', fallback: ['en'] }] } };
    expect(fallbackOf(chain)).toEqual([true, true, false]);
    expect(fallbackOf({ i18n: { locales: [en] } })).toEqual([false, false, false]);
    expect(fallbackOf({ ...chain, api: { rest: { extensions: false } } })).toEqual([false, false, false]);
  });

  it('has facets of lists, with the attributes that the caller may count', () => {
    const shelf = relation('manyToOne', 'shelf');
    const book = { title: { type: 'string' }, body: { type: 'text' }, code: { type: 'string', private: true }, shelf };
    const shelves = contentType('shelf', { text: { type: 'text' } }, { plural: 'shelves' });
    const registry = registryOf([contentType('book', book), shelves]);
    const namesOf = (path: string, input: SettingsInput = {}, actions?: readonly string[]) => {
      const grants = actions && { allows: (id: string) => actions.includes(id) };
      const description = describeApi(registry, settings(input), grants);
      const operation = at(description, 'paths', path, 'get') as Record<string, unknown>;
      const parameters = operation.parameters as { name?: string; schema: { items: { enum: string[] } } }[];
      const names = parameters.find(({ name }) => name === 'facets')?.schema.items.enum;
      expect(JSON.stringify(operation.responses).includes('schemas/Facets')).toBe(names !== undefined);
      return names;
    };
    expect(namesOf('/api/books')).toEqual(['title', 'shelf']);
    expect(namesOf('/api/books/{documentId}')).toBeUndefined();
    expect(namesOf('/api/shelves')).toBeUndefined();
    expect(namesOf('/api/books', { api: { rest: { extensions: false } } })).toBeUndefined();
    expect(namesOf('/api/books', {}, ['api::book.book.find'])).toEqual(['title']);
  });

  it('has search for types of the setting', () => {
    const files = ['page', 'plain'].map((name) => contentType(name, { title: { type: 'string' } }));
    const registry = registryOf(files, [], {}, { search: { 'api::page.page': { title: 1 } } });
    const searchOf = (input: SettingsInput) =>
      ['/api/pages', '/api/plains', '/api/pages/{documentId}'].map((path) =>
        JSON.stringify(at(describeApi(registry, settings(input)), 'paths', path, 'get')).includes('/WordSearch'),
      );
    expect(searchOf({})).toEqual([true, false, false]);
    expect(searchOf({ api: { rest: { extensions: false } } })).toEqual([false, false, false]);
  });

  it('serves the generic routes of every type, and of system types those of files', () => {
    const { paths } = described();
    const generic = Object.entries(paths).filter(
      ([path]) => !/^\/api\/(auth|users|users-permissions)(\/|$)/.test(path),
    );
    const verbs = generic.map(([path, item]) => [path, Object.keys(item)]);
    expect(Object.fromEntries(verbs)).toEqual({
      '/api/content-type-builder/components': ['get'],
      '/api/content-type-builder/components/{uid}': ['parameters', 'get'],
      '/api/content-type-builder/content-types': ['get'],
      '/api/content-type-builder/content-types/{uid}': ['parameters', 'get'],
      '/api/articles': ['get', 'post'],
      '/api/articles/{documentId}': ['parameters', 'get', 'put', 'delete'],
      '/api/articles/{documentId}/actions/discard-draft': ['parameters', 'post'],
      '/api/articles/{documentId}/actions/publish': ['parameters', 'post'],
      '/api/articles/{documentId}/actions/unpublish': ['parameters', 'post'],
      '/api/authors': ['get', 'post'],
      '/api/authors/{documentId}': ['parameters', 'get', 'put', 'delete'],
      '/api/batch': ['post'],
      '/api/homepage': ['get', 'put', 'delete'],
      '/api/i18n/locales': ['get'],
      '/api/scheduled': ['get'],
      '/api/scheduled/{id}': ['parameters', 'delete'],
      '/api/upload': ['post', 'put'],
      '/api/upload/files': ['get'],
      '/api/upload/files/page': ['get'],
      '/api/upload/files/{id}': ['parameters', 'get', 'delete'],
      '/uploads/{key}': ['parameters', 'get'],
    });
  });

  it.each([
    ['publish', true],
    ['unpublish', true],
    ['discardDraft', false],
  ])('has scheduled publications for a caller who may %s alone: %s', (action, isShown) => {
    const registry = registryOf([contentType('book', {}, { drafts: true })]);
    const { paths } = describeApi(registry, settings({}), { allows: (id) => id === `api::book.book.${action}` });
    expect([paths['/api/scheduled'] !== undefined, paths['/api/scheduled/{id}'] !== undefined]).toEqual([
      isShown,
      isShown,
    ]);
  });

  it.each(['create', 'update', 'delete', 'find'])(
    'has batches for a caller who may %s alone, if it writes',
    (action) => {
      const { paths } = describeApi(reversedMagazine(), settings({}), {
        allows: (id) => id === `api::author.author.${action}`,
      });
      expect(paths['/api/batch'] !== undefined).toBe(action !== 'find');
    },
  );

  it.each<[string, SettingsInput['history'], boolean, boolean]>([
    ['no history', null, false, false],
    ['that of one type', { 'api::article.article': true }, true, false],
    ['that of all', true, true, true],
  ])('has %s of documents as the settings keep it', (_, history, ofArticles, ofAuthors) => {
    const { paths } = described({ history });
    const below = ['history', 'history/{revision}', 'actions/restore'];
    for (const [segment, isKept] of [
      ['articles', ofArticles],
      ['authors', ofAuthors],
    ] as const)
      for (const path of below)
        expect([path, paths[`/api/${segment}/{documentId}/${path}`] !== undefined]).toEqual([path, isKept]);
  });

  it('names version and locale of a link to a preview, of types that have them', () => {
    const preview = { url: 'https://site.example.com/{documentId}?t={token}' };
    const document = described({ preview: { 'api::article.article': preview, 'api::author.author': preview } });
    const namesOf = (segment: string) =>
      parametersOf(document, `/api/${segment}/{documentId}/actions/preview-link`, 'post');
    expect([namesOf('articles'), namesOf('authors')]).toEqual([['documentId', 'status', 'locale'], ['documentId']]);
  });

  it.each([
    [{}, ['key']],
    [{ upload: { widths: true } }, ['key', 'w', 'h', 'fit', 'f', 'q']],
    [{ server: { url: 'https://a.example' }, upload: { private: true } }, ['key', 'expires', 'signature']],
  ] satisfies [SettingsInput, string[]][])(
    'gives the bytes of a file the parameters that the settings %j switch on',
    (input, names) => {
      const { parameters } = described(input).paths['/uploads/{key}'] as { parameters: readonly { name: string }[] };
      expect(parameters.map(({ name }) => name)).toEqual(names);
    },
  );

  it('gives each operation an id of its own', () => {
    const ids: unknown[] = [];
    walk(described().paths, ({ operationId }) => operationId !== undefined && ids.push(operationId));
    expect(ids.length).toBe(29 + 24);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives each operation an id of its own whatever the types are called', () => {
    const names = ['bytes', 'file', 'files', 'locale', 'locales', 'scheduled', 'component', 'components'];
    const called = [...names, 'content-type', 'content-types', 'user', 'role', 'batch', 'file-page', 'document'];
    const types = called.map((name) => contentType(name, {}, { plural: `many-${name}`, drafts: true }));
    const ids: string[] = [];
    walk(describeApi(registryOf(types), settings({})).paths, ({ operationId }) => {
      if (typeof operationId === 'string') ids.push(operationId);
    });
    expect(ids.toSorted().filter((id, index, sorted) => id === sorted[index - 1])).toEqual([]);
    expect(ids).toContain('getBytesDocument');
  });

  it('answers 200 without numeric id to a create by default', () => {
    const document = described();
    expect(statuses(document, '/api/articles', 'post')).toContain('200');
    expect(statuses(document, '/api/articles', 'post')).not.toContain('201');
    expect(at(document, 'paths', '/api/articles', 'post', 'responses', '200', 'description')).toMatch(
      /without numeric id$/,
    );
    const path = ['paths', '/api/articles', 'post', 'responses', '200', 'content', 'application/json', 'schema'];
    const data = at(document, ...path, 'properties', 'data') as Json;
    expect(data.required).toEqual(['documentId']);
    expect(data.properties).not.toHaveProperty('id');
    expect(data.properties).toHaveProperty('title');
  });

  it('answers 201 with the whole document to a create where the settings say strapi', () => {
    const document = described({ api: { rest: { createResponse: 'strapi' } } });
    expect(at(document, 'paths', '/api/articles', 'post', 'responses', '201', 'description')).toBe('The new document');
    const content = ['responses', '201', 'content', 'application/json', 'schema', 'properties', 'data', 'required'];
    expect(at(document, 'paths', '/api/articles', 'post', ...content)).toEqual(['id', 'documentId']);
    expect(Object.keys(document.components.schemas ?? {}).filter((name) => name.endsWith('Created'))).toEqual([]);
  });

  it('tells the failures of each verb', () => {
    const document = described();
    const one = '/api/articles/{documentId}';
    expect(statuses(document, '/api/articles', 'get')).toEqual(['200', '400', '401', '403', 'default']);
    expect(statuses(document, '/api/articles', 'post')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '422',
      'default',
    ]);
    expect(statuses(document, one, 'get')).toEqual(['200', '400', '401', '403', '404', 'default']);
    expect(statuses(document, one, 'put')).toEqual(['200', '400', '401', '403', '404', '412', '413', 'default']);
    expect(statuses(document, one, 'delete')).toEqual(['204', '400', '401', '403', '412', 'default']);
    expect(statuses(document, '/api/homepage', 'put')).not.toContain('404');
    const failure = [
      'responses',
      'default',
      'content',
      'application/json',
      'schema',
      'properties',
      'error',
      'required',
    ];
    expect(at(document, 'paths', one, 'get', ...failure)).toEqual(['status', 'name', 'message']);
  });

  it('takes a credential, and lets the public in where its role has a grant', () => {
    const document = described({ roles: { public: ['api::article.article.find', 'api::homepage.homepage.find'] } });
    const security = (path: string, verb: string) => at(document, 'paths', path, verb, 'security');
    expect(security('/api/articles', 'post')).toEqual([{ bearer: [] }]);
    expect(security('/api/articles/{documentId}', 'get')).toEqual([{ bearer: [] }]);
    expect(security('/api/articles', 'get')).toEqual([{ bearer: [] }, {}]);
    expect(security('/api/homepage', 'get')).toEqual([{ bearer: [] }, {}]);
    expect(at(document, 'components', 'securitySchemes', 'bearer', 'scheme')).toBe('bearer');
  });

  const LIST = ['filters', 'sort', 'fields', 'populate', 'pagination', 'status'];
  const SHOWN = ['fields', 'populate'];
  it.each([
    ['get /api/articles', [...LIST, 'publicationFilter', 'locale', '_q', 'facets']],
    ['get /api/authors', [...LIST, '_q', 'facets']],
    ['get /api/articles/{documentId}', ['documentId', ...SHOWN, 'status', 'locale']],
    ['post /api/articles', [...SHOWN, 'status', 'locale', 'Idempotency-Key']],
    ['post /api/authors', [...SHOWN, 'Idempotency-Key']],
    ['put /api/articles/{documentId}', ['documentId', ...SHOWN, 'status', 'locale', 'If-Match', 'If-None-Match']],
    ['put /api/homepage', [...SHOWN, 'If-Match', 'If-None-Match']],
    ['delete /api/articles/{documentId}', ['documentId', 'locale', 'If-Match']],
    ['delete /api/homepage', ['If-Match']],
    ['post /api/articles/{documentId}/actions/publish', ['documentId', ...SHOWN, 'status', 'locale', 'If-Match']],
    ['post /api/articles/{documentId}/actions/unpublish', ['documentId', ...SHOWN, 'locale', 'If-Match']],
    ['post /api/articles/{documentId}/actions/discard-draft', ['documentId', ...SHOWN, 'status', 'locale', 'If-Match']],
  ])('names the parameters of %s', (operation, names) => {
    const [verb = '', path = ''] = operation.split(' ');
    expect(parametersOf(described(), path, verb)).toEqual(names);
  });

  it('takes page sizes and locales from the settings', () => {
    const locales = [
      { code: 'fr', name: 'French', isDefault: true },
      { code: 'en', name: 'English' },
    ];
    const document = described({ api: { rest: { defaultLimit: 10, maxLimit: 40 } }, i18n: { locales } });
    const pagination = at(document, 'components', 'parameters', 'Pagination') as Json;
    const pageSize = { type: 'integer', description: 'Without it: 10' };
    expect(pagination).toMatchObject({ style: 'deepObject', schema: { properties: { pageSize } } });
    expect(pagination.description).toContain('At most 40 documents');
    expect(at(document, 'components', 'parameters', 'Locale', 'schema')).toEqual({
      type: 'string',
      default: 'fr',
      examples: ['fr', 'en'],
    });
  });

  it('offers every operator to filters, with operands of the right type', () => {
    const document = described();
    expect(at(document, 'paths', '/api/articles', 'get', 'parameters', 0)).toMatchObject({
      name: 'filters',
      style: 'deepObject',
      explode: true,
      schema: { $ref: '#/components/schemas/ArticleFilters' },
    });
    const operators = at(document, 'components', 'schemas', 'FloatFilter', 'anyOf', 2, 'properties') as Json;
    expect(Object.keys(operators)).toEqual([...Object.keys(OPERATORS), '$not']);
    expect(operators).toMatchObject({
      $gt: { type: 'number', description: OPERATORS.$gt.doc },
      $contains: { type: 'string' },
      $in: { type: 'array', items: { type: 'number' } },
      $between: { items: { type: 'number' }, minItems: 2, maxItems: 2 },
      $null: { type: 'boolean' },
    });
    const filters = schema(document, 'ArticleFilters').properties as Json;
    for (const group of Object.keys(LOGIC)) expect(filters).toHaveProperty([group]);
  });

  it('filters through relations, media and components, but by nothing that is hidden', () => {
    const filters = schema(described(), 'ArticleFilters').properties as Json;
    const through = (name: string) => ({
      anyOf: [{ $ref: `#/components/schemas/${name}Filters` }, { $ref: '#/components/schemas/RelationFilter' }],
    });
    expect(filters).toMatchObject({
      author: through('Author'),
      cover: through('UploadFile'),
      seo: through('SharedSeo'),
      localizations: through('Article'),
      documentId: { $ref: '#/components/schemas/TextFilter' },
      views: { $ref: '#/components/schemas/BigintegerFilter' },
      extra: { $ref: '#/components/schemas/TextFilter' },
    });
    for (const name of ['accessCode', 'notes', 'createdBy', 'sections']) expect(filters).not.toHaveProperty(name);
  });

  it('lists the attributes that fields may name', () => {
    const fields = at(described(), 'paths', '/api/authors', 'get', 'parameters', 2, 'schema', 'items', 'enum');
    const system = ['createdAt', 'updatedAt', 'publishedAt'];
    expect(fields).toEqual(['*', 'id', 'documentId', 'name', 'born', 'active', ...system]);
  });

  it('names every state that publicationFilter knows', () => {
    const parameters = Object.values(at(described(), 'components', 'parameters') as Json) as Json[];
    const parameter = parameters.find(({ name }) => name === 'publicationFilter');
    expect(parameter).toMatchObject({ schema: { enum: PUBLICATION_FILTERS } });
  });

  it('is plain JSON, the same however the files were read', () => {
    const text = JSON.stringify(described());
    expect(JSON.stringify(describeApi(reversedMagazine(), settings()))).toBe(text);
    expect(JSON.parse(text)).toEqual(described());
  });
});
