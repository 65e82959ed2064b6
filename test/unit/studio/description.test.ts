import { describe, expect, it } from 'vitest';
import { insideOf, operationsOf, schemaRules, typeText } from '../../../studio/explorer/description.ts';
import { resolve } from '../../../studio/model/model.ts';

const description = {
  paths: {
    '/api/a/{id}': {
      parameters: [{ name: 'id', in: 'path' }],
      get: {
        operationId: 'readA',
        summary: 'Read',
        tags: ['as'],
        parameters: [{ $ref: '#/components/parameters/Sort' }],
      },
      delete: {},
    },
  } as never,
  components: {
    parameters: { Sort: { name: 'sort', in: 'query' } },
    schemas: {
      Tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 5 },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Json: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/components/schemas/Json' } }] },
    },
  },
};
const tree = { $ref: '#/components/schemas/Tree' };

describe('the reference of a description', () => {
  it('lists operations with the parameters of their path, and names those without an id', () => {
    const [read, remove] = operationsOf(description);
    expect(read).toMatchObject({ id: 'readA', method: 'GET', path: '/api/a/{id}', tag: 'as' });
    expect(read?.parameters.map((node) => resolve(description, node).name)).toEqual(['id', 'sort']);
    expect(remove).toMatchObject({ id: 'DELETE /api/a/{id}', tag: 'other', summary: '' });
  });

  it('writes types as they are read', () => {
    expect(typeText({ type: ['string', 'null'], format: 'date-time' })).toBe('string | null (date-time)');
    expect(typeText({ type: 'array', items: tree })).toBe('list of Tree');
    expect(typeText({ anyOf: [tree, { type: 'null' }] })).toBe('Tree | null');
    expect(typeText({ enum: ['a', null] })).toBe('"a" | null');
    expect(typeText({})).toBe('any');
    expect(schemaRules({ description: 'Text.', maxLength: 5, pattern: '^a' })).toBe('Text. maxLength 5, pattern "^a"');
  });

  it('unfolds one level, also of schemas inside of themselves', () => {
    expect(insideOf(description, tree).map(([key]) => key)).toEqual(['name', 'children']);
    expect(insideOf(description, { anyOf: [tree, { type: 'null' }] }).map(([key]) => key)).toEqual([
      'name',
      'children',
    ]);
    expect(insideOf(description, { oneOf: [tree, { type: 'object', properties: {} }] })).toHaveLength(2);
    expect(insideOf(description, { type: 'string' })).toEqual([]);
    expect(insideOf(description, { additionalProperties: tree })).toEqual([['any name', tree]]);
  });
});
