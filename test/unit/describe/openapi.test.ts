/**
 * @module The OpenAPI document: its paths, parameters and schemas, and that every reference in it leads somewhere.
 */
import { describe, expect, it } from 'vitest';
import { describeOpenApi, type OpenApiDocument } from '../../../src/describe/openapi.ts';
import { PUBLICATION_FILTERS } from '../../../src/describe/openapi-parameters.ts';
import { LOGIC, OPERATORS } from '../../../src/request/operators.ts';
import type { PublicationFilter } from '../../../src/request/query-params.ts';
import { magazine, reversedMagazine, settings } from './fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const described = (input: Parameters<typeof settings>[0] = {}): OpenApiDocument =>
  describeOpenApi(magazine(), settings(input));

/** Follows keys from a value; references on the way are resolved. */
function at(document: OpenApiDocument, ...keys: readonly (string | number)[]): unknown {
  const resolve = (value: unknown): unknown => {
    const target = (value as { readonly $ref?: string } | undefined)?.$ref;
    return target === undefined ? value : at(document, ...target.slice(2).split('/'));
  };
  return keys.reduce<unknown>((value, key) => resolve((value as Json | undefined)?.[key]), document);
}

const schema = (document: OpenApiDocument, name: string) => at(document, 'components', 'schemas', name) as Json;

const property = (document: OpenApiDocument, name: string, key: string) =>
  (schema(document, name).properties as Json)[key];

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

  it('serves the generic routes of every type and none of system types', () => {
    const { paths } = described();
    const verbs = Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(Object.fromEntries(verbs)).toEqual({
      '/api/articles': ['get', 'post'],
      '/api/articles/{documentId}': ['parameters', 'get', 'put', 'delete'],
      '/api/authors': ['get', 'post'],
      '/api/authors/{documentId}': ['parameters', 'get', 'put', 'delete'],
      '/api/homepage': ['get', 'put', 'delete'],
    });
  });

  it('gives each operation an id of its own', () => {
    const ids: unknown[] = [];
    walk(described().paths, ({ operationId }) => operationId !== undefined && ids.push(operationId));
    expect(ids.length).toBe(13);
    expect(new Set(ids).size).toBe(13);
  });

  it('answers 200 without numeric id to a create by default', () => {
    const document = described();
    expect(statuses(document, '/api/articles', 'post')).toContain('200');
    expect(statuses(document, '/api/articles', 'post')).not.toContain('201');
    const path = ['paths', '/api/articles', 'post', 'responses', '200', 'content', 'application/json', 'schema'];
    const data = at(document, ...path, 'properties', 'data') as Json;
    expect(data.required).toEqual(['documentId']);
    expect(data.properties).not.toHaveProperty('id');
    expect(data.properties).toHaveProperty('title');
  });

  it('answers 201 with the whole document to a create where the settings say strapi', () => {
    const document = described({ api: { rest: { createResponse: 'strapi' } } });
    const content = ['responses', '201', 'content', 'application/json', 'schema', 'properties', 'data', 'required'];
    expect(at(document, 'paths', '/api/articles', 'post', ...content)).toEqual(['id', 'documentId']);
    expect(Object.keys(document.components.schemas ?? {}).filter((name) => name.endsWith('Created'))).toEqual([]);
  });

  it('tells the failures of each verb', () => {
    const document = described();
    const one = '/api/articles/{documentId}';
    expect(statuses(document, '/api/articles', 'get')).toEqual(['200', '400', '401', '403', 'default']);
    expect(statuses(document, '/api/articles', 'post')).toEqual(['200', '400', '401', '403', '413', 'default']);
    expect(statuses(document, one, 'get')).toEqual(['200', '400', '401', '403', '404', 'default']);
    expect(statuses(document, one, 'put')).toEqual(['200', '400', '401', '403', '404', '413', 'default']);
    expect(statuses(document, one, 'delete')).toEqual(['204', '400', '401', '403', 'default']);
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

  it('names the parameters that each verb has', () => {
    const document = described();
    const list = ['filters', 'sort', 'fields', 'populate', 'pagination', 'status'];
    expect(parametersOf(document, '/api/articles', 'get')).toEqual([...list, 'publicationFilter', 'locale', '_q']);
    expect(parametersOf(document, '/api/authors', 'get')).toEqual([...list, '_q']);
    expect(parametersOf(document, '/api/articles/{documentId}', 'get')).toEqual([
      'documentId',
      'fields',
      'populate',
      'status',
      'locale',
    ]);
    expect(parametersOf(document, '/api/articles', 'post')).toEqual(['fields', 'populate', 'status', 'locale']);
    expect(parametersOf(document, '/api/authors', 'post')).toEqual(['fields', 'populate']);
    expect(parametersOf(document, '/api/articles/{documentId}', 'delete')).toEqual(['documentId', 'locale']);
    expect(parametersOf(document, '/api/homepage', 'delete')).toEqual([]);
  });

  it('takes page sizes and locales from the settings', () => {
    const locales = [
      { code: 'fr', name: 'French', isDefault: true },
      { code: 'en', name: 'English' },
    ];
    const document = described({ api: { rest: { defaultLimit: 10, maxLimit: 40 } }, i18n: { locales } });
    const pagination = at(document, 'components', 'parameters', 'Pagination') as Json;
    expect(pagination).toMatchObject({ style: 'deepObject', schema: { properties: { pageSize: { default: 10 } } } });
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

  it('shows documents without private attributes and passwords', () => {
    const document = described();
    for (const name of ['accessCode', 'notes', 'createdBy']) {
      expect(schema(document, 'Article').properties).not.toHaveProperty(name);
      expect(schema(document, 'ArticleCreated').properties).not.toHaveProperty(name);
    }
    expect(schema(document, 'UsersPermissionsUser').properties).not.toHaveProperty('password');
    expect(schema(document, 'Author').properties).not.toHaveProperty('locale');
  });

  it('allows null where a value may be missing', () => {
    const document = described();
    expect(property(document, 'Article', 'title')).toEqual({ type: ['string', 'null'] });
    expect(property(document, 'Article', 'tone')).toEqual({
      type: ['string', 'null'],
      enum: ["it's", 'in-depth', null],
    });
    expect(property(document, 'Article', 'publishedAt')).toMatchObject({ type: ['string', 'null'] });
    expect(property(document, 'Article', 'locale')).toEqual({ type: 'string' });
    expect(property(document, 'Author', 'name')).toEqual({ type: 'string' });
    expect(property(document, 'Author', 'born')).toEqual({ type: ['string', 'null'], format: 'date' });
    expect(property(document, 'Author', 'publishedAt')).toEqual({ type: 'string', format: 'date-time' });
    expect(property(document, 'Article', 'extra')).toEqual({});
    expect(property(document, 'SharedSeo', 'metaTitle')).toEqual({ type: ['string', 'null'] });
    expect(property(document, 'Article', 'author')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }],
    });
  });

  it('requires only identity of an answer, since fields leaves the rest out', () => {
    const document = described();
    expect(schema(document, 'Article').required).toEqual(['id', 'documentId']);
    expect(schema(document, 'SharedSeo').required).toEqual(['id']);
  });

  it('gives bodies the rules that publication checks', () => {
    const document = described();
    expect(property(document, 'ArticleInput', 'title')).toEqual({ type: 'string', minLength: 3, maxLength: 80 });
    expect(property(document, 'ArticleInput', 'rating')).toEqual({ type: ['number', 'null'], minimum: 0, maximum: 5 });
    expect(property(document, 'ArticleInput', 'sku')).toMatchObject({ pattern: '^[A-Z]{2}-\\d{4}$' });
    expect(property(document, 'ArticleInput', 'tone')).toMatchObject({ default: 'in-depth' });
    expect(property(document, 'ArticleInput', 'links')).toMatchObject({ type: 'array', maxItems: 3 });
    expect(property(document, 'ArticleInput', 'links')).not.toHaveProperty('minItems');
    expect(schema(document, 'ArticleInput').properties).toMatchObject({ accessCode: {}, notes: {} });
    for (const name of ['createdAt', 'publishedAt', 'locale', 'localizations', 'id'])
      expect(schema(document, 'ArticleInput').properties).not.toHaveProperty(name);
  });

  it('leaves out a pattern that means nothing in Unicode mode', () => {
    expect(property(described(), 'ArticleInput', 'legacy')).toEqual({ type: ['string', 'null'] });
  });

  it('takes times without milliseconds and large integers as numbers', () => {
    const document = described();
    const time = property(document, 'ArticleInput', 'airTime') as { readonly pattern: string };
    expect('12:30:00').toMatch(new RegExp(time.pattern, 'u'));
    expect('12:30').not.toMatch(new RegExp(time.pattern, 'u'));
    expect(property(document, 'ArticleInput', 'views')).toMatchObject({ anyOf: [{ type: ['string', 'integer'] }, {}] });
  });

  it('requires of a create what has no default, and nothing of an update', () => {
    const document = described();
    const body = (path: string, verb: string) =>
      at(document, 'paths', path, verb, 'requestBody', 'content', 'application/json', 'schema', 'properties', 'data');
    expect(body('/api/authors', 'post')).toMatchObject({ allOf: [{}, { required: ['name'] }] });
    expect(body('/api/articles', 'post')).toMatchObject({ allOf: [{}, { required: ['title'] }] });
    expect(body('/api/authors/{documentId}', 'put')).not.toHaveProperty('required');
    expect(body('/api/homepage', 'put')).not.toHaveProperty('required');
  });

  it('needs a whole component, or the id of one that is there', () => {
    expect(schema(described(), 'SharedLinkInput').anyOf).toEqual([{ required: ['id'] }, { required: ['label'] }]);
  });

  it('tells the components of a zone apart by __component', () => {
    const document = described();
    expect(property(document, 'Article', 'sections')).toMatchObject({
      type: 'array',
      items: {
        oneOf: [
          {
            allOf: [
              { $ref: '#/components/schemas/BlocksQuote' },
              { properties: { __component: { const: 'blocks.quote' } } },
            ],
          },
          { allOf: [{ $ref: '#/components/schemas/SharedLink' }, { required: ['__component'] }] },
        ],
      },
    });
    expect(property(document, 'Homepage', 'main')).toEqual({ type: 'array', maxItems: 0 });
  });

  it('names every state that publicationFilter knows', () => {
    const known: Readonly<Record<PublicationFilter, true>> = {
      'never-published': true,
      'has-published-version': true,
      modified: true,
      unmodified: true,
      'never-published-document': true,
      'has-published-version-document': true,
      'published-without-draft': true,
      'published-with-draft': true,
    };
    expect(PUBLICATION_FILTERS).toEqual(Object.keys(known));
  });

  it('is plain JSON, the same however the files were read', () => {
    const text = JSON.stringify(described());
    expect(JSON.stringify(describeOpenApi(reversedMagazine(), settings()))).toBe(text);
    expect(JSON.parse(text)).toEqual(described());
  });
});
