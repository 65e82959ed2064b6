import { describe, expect, it } from 'vitest';
import { copyOfValues, proposal } from '../../../studio/document/copied-values.ts';
import type { Attribute, Attributes } from '../../../studio/model/attribute.ts';
import type { Model } from '../../../studio/model/model.ts';

const part = {
  name: 'Part',
  attributes: {
    code: { type: 'string', unique: true },
    pin: { type: 'password' },
    hint: { type: 'string', private: true },
  },
};
const model = { types: new Map(), components: new Map([['kit.part', part]]) } as unknown as Model;

const relation = (kind: string, more: object = {}): Attribute => ({
  type: 'relation',
  relation: kind,
  target: 'api::x.x',
  ...more,
});

const attributes: Attributes = {
  title: { type: 'string' },
  subtitle: { type: 'string', default: 'untold' },
  slug: { type: 'uid' },
  pin: { type: 'password' },
  part: { type: 'component', component: 'kit.part' },
  zone: { type: 'dynamiczone', components: ['kit.part'] },
  author: relation('manyToOne', { inversedBy: 'articles' }),
  tags: relation('manyToMany', { inversedBy: 'articles' }),
  first: relation('oneToOne'),
  reviewers: relation('oneToMany'),
  page: relation('oneToOne', { inversedBy: 'article' }),
  coverOf: relation('oneToOne', { mappedBy: 'cover' }),
  comments: relation('oneToMany', { mappedBy: 'article' }),
  blocks: relation('morphMany'),
};

describe('the copy of a document', () => {
  it('has no ids, passwords and hidden values, and does not take targets away from the original', () => {
    const links = [{ documentId: 'x' }];
    const relations = ['author', 'tags', 'first', 'reviewers', 'page', 'coverOf', 'comments', 'blocks'];
    const values = {
      ...{ title: 'Fog', subtitle: null, slug: 'fog', part: { id: 4, code: 'A', hint: 'read' } },
      zone: [{ __component: 'kit.part', id: 5, code: null }],
      ...Object.fromEntries(relations.map((name) => [name, links])),
    };
    expect(copyOfValues(model, attributes, values, 2)).toEqual({
      ...{ title: 'Fog', subtitle: null, slug: 'fog-copy-2', part: { code: 'A (copy 2)', hint: 'read' } },
      zone: [{ __component: 'kit.part', code: null }],
      ...{ author: links, tags: links, first: links, reviewers: links },
    });
  });

  it.each<[Attribute, unknown, number, unknown]>([
    [{ type: 'string' }, 'Fog', 1, 'Fog (copy)'],
    [{ type: 'string', maxLength: 12 }, 'Fog and rain', 3, 'Fog (copy 3)'],
    [{ type: 'string', maxLength: 4 }, 'Fog', 1, undefined],
    [{ type: 'string', regex: '^[a-z]+$' }, 'fog', 1, undefined],
    [{ type: 'uid', maxLength: 8 }, 'fog-rain', 1, 'fog-copy'],
    [{ type: 'email' }, 'a@b.co', 2, 'a+copy2@b.co'],
    [{ type: 'enumeration', enum: ['fog'] }, 'fog', 1, undefined],
    [{ type: 'integer' }, 7, 1, undefined],
  ])('has for a unique value of %j, %j, copy %i: %j', (attribute, value, count, expected) => {
    expect(proposal(attribute, value, count)).toBe(expected);
  });
});
