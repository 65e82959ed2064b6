/**
 * @module The schemas of the OpenAPI document: what answers carry and what bodies take.
 */
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../support/describe-api.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { settings } from './fixture.ts';
import { at, described, property, schema } from './reading.ts';

interface Discriminated {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: { readonly mapping: Readonly<Record<string, string>> };
}

describe('schemas of describeOpenApi', () => {
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
    const author = { $ref: '#/components/schemas/Author' };
    const count = { $ref: '#/components/schemas/Count' };
    expect(property(document, 'Article', 'author')).toEqual({ anyOf: [author, { type: 'null' }] });
    expect(property(document, 'Author', 'articles')).toMatchObject({ anyOf: [{ type: 'array' }, count] });
  });

  it('has the numbers of lists only where populate takes withCount', () => {
    const hasCounts = (extensions: boolean) =>
      Object.hasOwn(schema(described({ api: { rest: { extensions } } }), 'Author').properties as object, '$counts');
    expect([hasCounts(true), hasCounts(false)]).toEqual([true, false]);
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
    expect(property(document, 'ArticleInput', 'accessCode')).toEqual({ type: ['string', 'null'] });
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
    expect(body('/api/authors', 'post')).toMatchObject({ required: ['name'] });
    expect(body('/api/articles', 'post')).toMatchObject({ required: ['title'] });
    expect(body('/api/authors/{documentId}', 'put')).not.toHaveProperty('required');
    expect(body('/api/homepage', 'put')).not.toHaveProperty('required');
    expect(schema(document, 'HomepageInput')).toBeUndefined();
  });

  it('tells defaults in words, where they apply: generated clients would require what has a `default`', () => {
    const document = described();
    expect(property(document, 'ArticleInput', 'tone')).toMatchObject({ description: 'Without it: `"in-depth"`' });
    expect(property(document, 'SharedLinkInput', 'weight')).toMatchObject({ description: 'Without it: `1`' });
    expect(property(document, 'ArticleUpdate', 'tone')).not.toHaveProperty('description');
    const due = { type: 'datetime', required: true, default: '2027-01-01T09:00:00.000Z' };
    const moment = property(describeApi(registryOf([contentType('task', { due })]), settings()), 'TaskInput', 'due');
    expect(moment).toMatchObject({
      description: expect.stringMatching(/^ISO date and time.*\. Without it: `"2027-01-01T09:00:00.000Z"`$/),
    });
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const bodies = operations.map((operation) => (operation as { requestBody?: unknown }).requestBody);
    expect(JSON.stringify([document.components.schemas, bodies])).not.toContain('"default":');
  });

  it('needs a whole component, or the id of one that is there', () => {
    const document = described();
    const either = {
      anyOf: [{ $ref: '#/components/schemas/SharedLinkUpdate' }, { $ref: '#/components/schemas/SharedLinkInput' }],
    };
    expect(property(document, 'ArticleInput', 'links')).toMatchObject({ items: either });
    expect(schema(document, 'SharedLinkUpdate').required).toEqual(['id']);
    expect(schema(document, 'SharedLinkInput').required).toEqual(['label']);
  });

  it('tells the components of a zone apart by __component', () => {
    const document = described();
    const { items } = property(document, 'Article', 'sections') as { items: Discriminated };
    expect(items.discriminator).toEqual({
      propertyName: '__component',
      mapping: {
        'blocks.quote': '#/components/schemas/BlocksQuoteTyped',
        'shared.link': '#/components/schemas/SharedLinkTyped',
      },
    });
    expect(items.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(items.discriminator.mapping));
    expect(document.components.schemas?.BlocksQuoteTyped).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/BlocksQuote' },
        { required: ['__component'], properties: { __component: { const: 'blocks.quote' } } },
      ],
    });
    expect(property(document, 'Homepage', 'main')).toEqual({ type: 'array', maxItems: 0 });
  });
});
