/**
 * @module The rules of components, lists of them and zones, and of relations inside.
 */
import { describe, expect, it } from 'vitest';
import { MAX_ISSUES } from '../../../src/common/errors.ts';
import { validateInput } from '../../../src/content/plan/validate/validate-input.ts';
import { component, contentType, registryOf, relation, typeOf } from '../../support/schema-files.ts';

type Stage = 'draft' | 'publication' | 'update';

const CARD = { type: 'component', component: 'page.card' };
const LIST = { ...CARD, repeatable: true };
const ZONE = { type: 'dynamiczone', components: ['page.card', 'page.linked'] };
const components = [
  component('page.card', { title: { type: 'string', required: true } }),
  component('page.seen', {
    kind: { type: 'string', default: 'long' },
    length: { type: 'integer', required: true, conditions: { visible: { '==': [{ var: 'kind' }, 'long'] } } },
    unit: { type: 'string', default: 'cm', conditions: { visible: { '==': [{ var: 'kind' }, 'wide'] } } },
    scale: { type: 'integer', required: true, conditions: { visible: { '==': [{ var: 'unit' }, 'cm'] } } },
  }),
  component('page.shown', {
    kind: { type: 'string', default: 'long' },
    author: {
      ...relation('oneToOne', 'thing'),
      ...{ required: true, conditions: { visible: { '==': [{ var: 'kind' }, 'long'] } } },
    },
  }),
  component('page.linked', {
    author: { ...relation('oneToOne', 'thing'), required: true },
    cover: { type: 'media', required: true },
    other: relation('oneToOne', 'thing'),
  }),
];

function checked(json: object, value: unknown, stage: Stage, strictRelations = true) {
  const registry = registryOf([contentType('thing', { it: json })], components);
  const type = registry.contentTypes.get('api::thing.thing');
  if (!type) throw new Error('no type');
  const operation = stage === 'update' ? 'update' : 'create';
  const context = { draft: stage === 'draft', operation, taken: new Set<string>(), registry, strictRelations } as const;
  const { issues, values } = validateInput(value === undefined ? {} : { it: value }, type, context);
  return { messages: issues.map(({ message }) => message), value: [...values.values()][0], issues };
}

const wrong = (type: string, value: string) => `it must be a \`${type}\` type, but the final value was: \`${value}\`.`;
const DEFINED = 'it must be defined.';
const TITLE = 'it.title must be defined.';
const A = { title: 'a' };

describe('a component', () => {
  it.each<readonly [object, unknown, Stage, readonly string[]]>([
    [CARD, undefined, 'publication', []],
    [{ ...CARD, required: true }, undefined, 'publication', [DEFINED]],
    [{ ...CARD, required: true }, undefined, 'draft', []],
    [{ ...CARD, required: true }, undefined, 'update', []],
    [CARD, null, 'publication', []],
    [{ ...CARD, required: true }, null, 'publication', [wrong('object', 'null')]],
    [{ ...CARD, required: true }, null, 'update', [wrong('object', 'null')]],
    [{ ...CARD, required: true }, null, 'draft', []],
    [CARD, 5, 'draft', [wrong('object', '5')]],
    [CARD, [], 'draft', [wrong('object', '[]')]],
    [CARD, {}, 'publication', [TITLE]],
    [CARD, {}, 'draft', []],
    [CARD, A, 'publication', []],
  ])('%j of %j is checked for %s: %j', (json, value, stage, messages) => {
    expect(checked(json, value, stage).messages).toEqual(messages);
  });
});

describe('a list of components', () => {
  const fewer = (min: number) => `it field must have at least ${min} items`;
  const more = (max: number) => `it field must have less than or equal to ${max} items`;

  it.each<readonly [object, unknown, Stage, readonly string[]]>([
    [LIST, undefined, 'publication', []],
    [{ ...LIST, required: true }, undefined, 'publication', [DEFINED]],
    [{ ...LIST, required: true }, undefined, 'draft', [DEFINED]],
    [{ ...LIST, required: true }, undefined, 'update', []],
    [LIST, null, 'draft', [wrong('array', 'null')]],
    [LIST, A, 'update', ['it must be a `array` type, but the final value was: `{\n  "title": "\\"a\\""\n}`.']],
    [
      LIST,
      [A, 5],
      'draft',
      ['it[1] must be a `object` type, but the final value was: `null` (cast from the value `5`).'],
    ],
    [LIST, [{}], 'publication', ['it[0].title must be defined.']],
    [{ ...LIST, min: 2 }, [], 'publication', []],
    [{ ...LIST, min: 2 }, [A], 'publication', [fewer(2)]],
    [{ ...LIST, min: 2 }, [A], 'draft', []],
    [{ ...LIST, min: 2 }, [A, A], 'publication', []],
    [{ ...LIST, min: 2, required: true }, [], 'publication', [fewer(2)]],
    [{ ...LIST, max: 2 }, [A, A], 'publication', []],
    [{ ...LIST, max: 2 }, [A, A, A], 'publication', [more(2)]],
    [{ ...LIST, max: 2 }, [A, A, A], 'draft', []],
    [{ ...ZONE, min: 1, max: 1 }, [], 'publication', []],
    [{ ...ZONE, max: 1 }, [1, 2].map(() => ({ __component: 'page.card', ...A })), 'publication', [more(1)]],
  ])('%j of %j is checked for %s: %j', (json, value, stage, messages) => {
    expect(checked(json, value, stage).messages).toEqual(messages);
  });

  it('is empty unless it is sent or required', () => {
    expect(checked(LIST, undefined, 'publication').value).toEqual([]);
    expect(checked({ ...LIST, required: true }, undefined, 'publication').value).toBeUndefined();
    expect(checked(LIST, undefined, 'update').value).toBeUndefined();
  });
});

describe('an entry of a zone', () => {
  const VALUES = 'it[0].__component must be one of the following values: page.shown, page.seen, page.linked, page.card';

  it.each<readonly [unknown, readonly string[]]>([
    [{ title: 'a' }, ['it[0].__component is a required field']],
    [{ __component: 'page.nope' }, [VALUES]],
    [{ __component: [] }, ['it[0].__component must be a `string` type, but the final value was: `[]`.', VALUES]],
    [{ __component: 'page.card' }, ['it[0].title must be defined.']],
    [{ __component: 'page.card', ...A }, []],
  ])('%j is checked: %j', (entry, messages) => {
    expect(checked(ZONE, [entry], 'publication').messages).toEqual(messages);
  });
});

describe('a required relation of a component', () => {
  const LINKED = { type: 'component', component: 'page.linked' };
  const messagesFor = (author: unknown, stage: Stage = 'publication', isStrict = true) =>
    checked(LINKED, { cover: 1, ...(author !== undefined && { author }) }, stage, isStrict).messages;
  const MISSING = ['author must be defined.'];

  it.each<readonly [unknown, boolean]>([
    [undefined, false],
    [null, false],
    [[], false],
    [{ set: [] }, false],
    [{ set: null }, false],
    [{ connect: [] }, false],
    [{ set: [], connect: ['a'] }, false],
    [{ disconnect: ['a'] }, false],
    [{ disconnect: ['a'], connect: ['b'] }, true],
    ['a', true],
    [['a'], true],
    [{ documentId: 'a' }, true],
    [{ set: ['a'] }, true],
    [{ connect: 'a' }, true],
  ])('in the form %j has a target: %s', (author, isThere) => {
    expect(messagesFor(author)).toEqual(isThere ? [] : MISSING);
  });

  it('may be kept by an update, lacking in a draft, and is not checked without strict relations', () => {
    expect(messagesFor(undefined, 'update')).toEqual([]);
    expect(messagesFor([], 'update')).toEqual(MISSING);
    expect(messagesFor([], 'draft')).toEqual([]);
    expect(messagesFor([], 'publication', false)).toEqual([]);
  });

  it('is like a required file', () => {
    expect(checked(LINKED, { author: 'a', cover: null }, 'publication').messages).toEqual(['cover must be defined.']);
  });
});

describe('a condition in a component', () => {
  const SEEN = { type: 'component', component: 'page.seen' };
  const LENGTH = 'it[0].length must be defined.';

  it.each<readonly [object, unknown, Stage, readonly string[]]>([
    [{ ...SEEN, repeatable: true }, [{}], 'publication', [LENGTH]],
    [{ ...SEEN, repeatable: true }, [{ kind: undefined }], 'publication', [LENGTH]],
    [{ ...SEEN, repeatable: true }, [{ kind: 'short' }], 'publication', []],
    [{ ...SEEN, repeatable: true }, [{ kind: 'wide' }], 'publication', ['it[0].scale must be defined.']],
    [{ ...SEEN, repeatable: true }, [{ length: 5 }], 'publication', []],
    [{ ...SEEN, repeatable: true }, [{ length: null }], 'update', []],
    [
      { ...SEEN, repeatable: true },
      [{ kind: 'long', length: null }],
      'update',
      ['it[0].length must be a `number` type, but the final value was: `NaN`.'],
    ],
    [SEEN, {}, 'publication', []],
    [SEEN, { kind: 'long' }, 'publication', ['it.length must be defined.']],
    [{ ...SEEN, component: 'page.shown', repeatable: true }, [{}], 'publication', ['author must be defined.']],
    [{ ...SEEN, component: 'page.shown', repeatable: true }, [{ kind: 'short' }], 'publication', []],
    [{ ...SEEN, component: 'page.shown' }, {}, 'publication', []],
  ])('sees defaults only in a list on create: %j of %j for %s: %j', (json, value, stage, messages) => {
    expect(checked(json, value, stage).messages).toEqual(messages);
  });
});

describe('an attribute that no body may set, or that is not visible', () => {
  const CLOSED = { writable: false };
  const INVISIBLE = { conditions: { visible: { '==': [{ var: 'nope' }, 1] } } };
  const MANY = { ...LIST, min: 2, required: true };

  it.each<readonly [object, unknown, readonly string[]]>([
    [{ type: 'string', required: true, minLength: 5 }, 'a', []],
    [{ type: 'string', required: true }, 5, [wrong('string', '5')]],
    [{ type: 'string', maxLength: 10 }, 'far too long', []],
    [{ type: 'enumeration', enum: ['a'] }, 'b', []],
    [{ type: 'integer', min: 3 }, 1, []],
    [{ type: 'integer', max: 3 }, 5, []],
    [{ ...CARD, required: true }, null, []],
    [CARD, {}, []],
    [CARD, 5, [wrong('object', '5')]],
    [MANY, null, []],
    [MANY, undefined, []],
    [MANY, [A], []],
    [MANY, [{}], []],
    [MANY, 5, [wrong('array', '5')]],
  ])('is checked by its type alone: %j of %j: %j', (json, value, messages) => {
    for (const closed of [CLOSED, INVISIBLE])
      expect(checked({ ...json, ...closed }, value, 'publication').messages).toEqual(messages);
  });

  it('keeps its value, and has its default', () => {
    for (const closed of [CLOSED, INVISIBLE]) {
      const json = { type: 'enumeration', enum: ['a'], default: 'a', ...closed };
      expect(checked(json, 'b', 'publication').value).toBe('b');
      expect(checked(json, undefined, 'publication').value).toBe('a');
    }
  });
});

describe('an issue', () => {
  const LINKED = { type: 'component', component: 'page.linked' };

  it.each<readonly [object, unknown, readonly (readonly [string, unknown])[]]>([
    [
      LINKED,
      { author: [] },
      [
        ['it.author', []],
        ['it.cover', undefined],
      ],
    ],
    [CARD, 5, [['it', 5]]],
    [LIST, [A, 5], [['it.1', null]]],
    [LIST, 5, [['it', 5]]],
    [{ ...LIST, max: 1 }, [A, A], [['it', [A, A]]]],
    [ZONE, [{ title: 'a' }], [['it.0.__component', undefined]]],
    [ZONE, [{ __component: 5 }], [['it.0.__component', '5']]],
    [
      ZONE,
      [{ __component: [] }],
      [
        ['it.0.__component', []],
        ['it.0.__component', []],
      ],
    ],
    [ZONE, [5], [['it.0', null]]],
  ])('has its path and the value that was checked: %j of %j: %j', (json, value, expected) => {
    const { issues } = checked(json, value, 'publication');
    expect(issues.map((issue) => [issue.path.join('.'), issue.value])).toEqual(expected);
  });

  it.each<readonly [object, unknown, unknown]>([
    [LIST, [A, 5], [A, null]],
    [LINKED, { author: 'a', cover: 1, extra: 2 }, { author: 'a', cover: 1, extra: 2 }],
    [{ type: 'component', component: 'page.seen' }, { length: '7' }, { kind: 'long', length: 7, unit: 'cm' }],
    [ZONE, [{ __component: 5, title: 'a' }], [{ __component: '5', title: 'a' }]],
  ])('leaves the value as it was checked: %j of %j: %j', (json, value, expected) => {
    expect(checked(json, value, 'draft').value).toEqual(expected);
  });

  it('is one of a thousand at most', () => {
    const names = Array.from({ length: MAX_ISSUES + 1 }, (_, index) => `a${index}`);
    const type = typeOf(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
    const data = Object.fromEntries(names.map((name) => [name, 5]));
    const context = { draft: true, operation: 'create', taken: new Set<string>(), strictRelations: true } as const;
    const { issues } = validateInput(data, type, { ...context, registry: registryOf([]) });
    expect(issues.length).toBe(MAX_ISSUES);
  });
});
