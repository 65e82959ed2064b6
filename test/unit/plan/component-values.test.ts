/**
 * @module The rules of components, lists of them and zones, and of relations inside.
 */
import { describe, expect, it } from 'vitest';
import { validateInput } from '../../../src/content/plan/validate/validate-input.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

type Stage = 'draft' | 'publication' | 'update';

const CARD = { type: 'component', component: 'page.card' };
const LIST = { ...CARD, repeatable: true };
const ZONE = { type: 'dynamiczone', components: ['page.card', 'page.linked'] };
const components = [
  component('page.card', { title: { type: 'string', required: true } }),
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
  return { messages: issues.map(({ message }) => message), value: [...values.values()][0] };
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
  const VALUES = 'it[0].__component must be one of the following values: page.linked, page.card';

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
