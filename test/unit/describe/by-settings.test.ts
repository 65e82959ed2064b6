/**
 * @module What the description, and the page at `/`, have by the settings, and the rules of attributes.
 */
import { describe, expect, it } from 'vitest';
import { DRAFTS_ONLY, type Grants } from '../../../src/access/grants.ts';
import { nullable, ruledSchema, shownSchema } from '../../../src/features/description/json-schema.ts';
import { landingPage } from '../../../src/features/description/landing.ts';
import type { Deployment } from '../../../src/http/deployment.ts';
import type { ScalarAttribute } from '../../../src/schema/model.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { magazine, settings } from './fixture.ts';
import { at, described, type Json, property } from './reading.ts';

const rest = (input: object): SettingsInput => ({ api: { rest: input } }) as SettingsInput;
const parameter = (name: string, input: SettingsInput = {}) =>
  at(described(input), 'components', 'parameters', name) as Json & { readonly description: string };

describe('a parameter', () => {
  it.each([
    [null, false],
    [40, true],
  ])('of pages says how many come at most, if there is a limit: %j', (maxLimit, isSaid) => {
    expect(parameter('Pagination', rest({ maxLimit })).description.includes('At most')).toBe(isSaid);
    const options = (parameter('Populate', rest({ maxLimit })).schema as { anyOf: Json[] }).anyOf[2];
    expect(options).toEqual({
      type: 'object',
      additionalProperties: {
        properties: {
          limit: {
            ...{ type: 'integer', minimum: 0, description: expect.stringMatching(/^Of a relation to many/) },
            ...(maxLimit !== null && { maximum: maxLimit }),
          },
          start: { type: 'integer', minimum: 0, description: expect.any(String) },
          withCount: { type: 'boolean', description: expect.any(String) },
        },
      },
    });
  });

  it.each<[object, boolean, boolean]>([
    [{ extensions: false }, false, false],
    [{ extensions: false, deepPopulate: true }, false, false],
    [{}, true, false],
    [{ deepPopulate: true }, true, true],
  ])('of populate names what %j has', (input, hasLimits, isDeep) => {
    const { description, schema } = parameter('Populate', rest(input));
    const [list, name, options] = (schema as { anyOf: Json[] }).anyOf;
    expect([description.includes('Lists take'), description.includes('@deep')]).toEqual([hasLimits, isDeep]);
    expect([list, name?.type, name?.examples !== undefined]).toEqual([
      ...[{ type: 'array', items: { type: 'string' } }, 'string', isDeep],
    ]);
    expect(options?.additionalProperties === true).toBe(!hasLimits);
  });

  it.each([true, false])('of status says who reads drafts, unless everybody does: %j', (publicDrafts) => {
    const { description, schema } = parameter('Status', rest({ publicDrafts }));
    expect(description.includes('Drafts need')).toBe(!publicDrafts);
    expect(schema).toEqual({ type: 'string', enum: ['published', 'draft'], default: 'published' });
  });

  it('of locales has those of the settings, and every one', () => {
    const locales = ['fr', 'en'].map((code) => ({ code, name: code, isDefault: code === 'fr' }));
    const input = { i18n: { locales } };
    expect(parameter('Locales', input)).toMatchObject({
      description: expect.stringMatching(/ Without it: `fr`\.$/),
      schema: { items: { type: 'string', examples: ['fr', 'en', '*'] } },
    });
    expect(parameter('DeletedLocale', input).schema).toEqual({
      ...{ type: 'string', default: 'fr', examples: ['fr', 'en', '*'] },
    });
  });

  it('of locales has the first as default, if the settings name none', () => {
    const locales = ['fr', 'en'].map((code) => ({ code, name: code }));
    const input = { i18n: { locales } };
    expect(parameter('Locale', input).schema).toEqual({ type: 'string', default: 'fr', examples: ['fr', 'en'] });
    expect(parameter('Locales', input).description).toMatch(/ Without it: `fr`\.$/);
  });

  it.each<['draft' | 'published', boolean, object]>([
    ['published', false, { $ref: '#/components/parameters/WrittenStatus' }],
    ['draft', false, { $ref: '#/components/parameters/WrittenDraft' }],
    ['published', true, { name: 'status', required: true, schema: { type: 'string', enum: ['draft'] } }],
    ['draft', true, { name: 'status', required: false, schema: { type: 'string', enum: ['draft'], default: 'draft' } }],
  ])('of a write says what it makes, %s by default, for drafts alone: %j', (defaultStatus, isDraftsOnly, expected) => {
    const grants: Grants = { allows: () => true, rule: () => (isDraftsOnly ? DRAFTS_ONLY : undefined) };
    const document = describeApi(magazine(), settings(rest({ defaultStatus })), grants);
    for (const [path, verb] of [
      ['/api/articles', 'post'],
      ['/api/articles/{documentId}', 'put'],
    ] as const)
      expect((at(document, 'paths', path, verb, 'parameters') as Json[])[2]).toEqual(
        '$ref' in expected ? expected : { ...expected, in: 'query', description: 'The caller may only write drafts.' },
      );
  });

  it('of private attributes is for who may read them', () => {
    const namesFor = (grants?: Grants) => JSON.stringify(describeApi(magazine(), settings(), grants).paths);
    expect(namesFor({ allows: () => true })).toContain('parameters/Private');
    for (const grants of [undefined, { allows: (id: string) => !id.endsWith('readPrivate') }])
      expect(namesFor(grants)).not.toContain('parameters/Private');
  });
});

describe('the schema of a scalar', () => {
  const scalar = (attribute: object) => {
    const registry = registryOf([contentType('thing', { value: attribute })]);
    return registry.contentTypes.get('api::thing.thing')?.attributes.get('value') as ScalarAttribute;
  };

  it.each<[object, object]>([
    [
      { type: 'integer', min: 0, max: 9 },
      { type: 'integer', minimum: 0, maximum: 9 },
    ],
    [
      { type: 'integer', min: 0 },
      { type: 'integer', minimum: 0 },
    ],
    [
      { type: 'decimal', max: 0 },
      { type: 'number', maximum: 0 },
    ],
    [
      { type: 'biginteger', min: 1, max: 9 },
      { type: ['string', 'integer'], pattern: '^-?\\d+$' },
    ],
    [
      { type: 'string', minLength: 1, maxLength: 9, regex: '^a' },
      { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
    ],
    [{ type: 'string', regex: '^\\_x$' }, { type: 'string' }],
    [
      { type: 'email', minLength: 0 },
      { type: 'string', format: 'email', minLength: 0 },
    ],
    [
      { type: 'enumeration', enum: ['a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [{ type: 'text' }, { type: 'string' }],
  ])('%j has its rules in a body: %j', (attribute, schema) => {
    expect(ruledSchema(scalar(attribute))).toEqual(schema);
  });

  it.each<[object, object]>([
    [{ type: 'biginteger' }, { type: 'string', pattern: '^-?\\d+$' }],
    [
      { type: 'enumeration', enum: ['a'] },
      { type: 'string', enum: ['a'] },
    ],
    [{ type: 'email' }, { type: 'string' }],
    [{ type: 'blocks' }, { type: 'array', items: { type: 'object' } }],
    [{ type: 'integer', min: 1 }, { type: 'integer' }],
  ])('%j has none in a response: %j', (attribute, schema) => {
    expect(shownSchema(scalar(attribute))).toEqual(schema);
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ $ref: 'x' }, { anyOf: [{ $ref: 'x' }, { type: 'null' }] }],
    [{ type: ['string', 'integer'] }, { anyOf: [{ type: ['string', 'integer'] }, { type: 'null' }] }],
  ])('%j that may be null is %j', (schema, orNull) => {
    expect(nullable(schema as Json)).toEqual(orNull);
  });
});

describe('an attribute', () => {
  const place = component('shared.place', { name: { type: 'string', required: true } });
  const list = { type: 'component', component: 'shared.place', repeatable: true };
  const zone = { type: 'dynamiczone', components: ['shared.place'] };
  const registry = registryOf(
    [
      contentType('plain', { name: { type: 'string', required: true }, list: { ...list, min: 2, max: 3 } }),
      contentType(
        'story',
        {
          list: { ...list, required: true, min: 2 },
          zone: { ...zone, max: 4 },
          parts: { ...zone, required: true, min: 1 },
        },
        { drafts: true, localized: true },
      ),
    ],
    [place],
  );
  const document = describeApi(registry, settings());

  it.each([
    ['Plain', 'name', false],
    ['Plain', 'publishedAt', false],
    ['Plain', 'createdAt', false],
    ['Story', 'createdAt', false],
    ['Story', 'updatedAt', false],
    ['Story', 'locale', false],
    ['Story', 'publishedAt', true],
    ['SharedPlace', 'name', true],
  ])('of %s, %s, may be null in a response: %j', (name, key, isNull) => {
    expect(JSON.stringify(property(document, name, key)).includes('"null"')).toBe(isNull);
  });

  it.each([
    ['PlainInput', 'list', undefined, 3],
    ['StoryInput', 'list', 2, undefined],
    ['StoryInput', 'zone', undefined, 4],
    ['StoryInput', 'parts', 1, undefined],
  ])('of %s, %s, has at least %j entries and at most %j', (name, key, minItems, maxItems) => {
    const schema = property(document, name, key) as Json;
    expect([schema.type, schema.minItems, schema.maxItems]).toEqual(['array', minItems, maxItems]);
  });
});

describe('the page at /', () => {
  const pageOf = async (input: SettingsInput) =>
    String(await landingPage({ registry: magazine(), settings: settings(input) } as Deployment));

  it('names what the public may find, and examples of a list of that', async () => {
    const page = await pageOf({ roles: { public: ['api::homepage.homepage.find', 'api::author.author.find'] } });
    for (const text of ['/api/homepage', '/api/authors']) expect(page).toContain(`<code>${text}</code>`);
    expect(page).not.toContain('/api/articles');
    for (const query of [
      'sort=updatedAt:desc',
      'pagination[pageSize]=10',
      'populate=*',
      'filters[documentId][$in][0]=…',
    ])
      expect(page).toContain(`<code>/api/authors?${query}</code>`);
    expect(page).not.toContain('every request needs a token');
  });

  it('says so where nothing is open to the public', async () => {
    const page = await pageOf({});
    expect(page).toContain('every request needs a token');
    expect(page).not.toContain('Open to everybody');
    expect(page).toContain('<code>/api/…?populate=*</code>');
  });

  it.each([true, false])('leads to Studio and the description where there are any: %j', async (isOn) => {
    const page = await pageOf({ studio: isOn, server: { openapi: isOn } });
    expect([page.includes('href="/studio/"'), page.includes('href="/openapi.json"')]).toEqual([isOn, isOn]);
  });
});
