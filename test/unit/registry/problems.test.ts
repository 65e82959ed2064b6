/**
 * @module What is told about schema files that cannot be read: every problem of every file at once.
 */
import { describe, expect, it } from 'vitest';
import { buildRegistry, TRUSTED } from '../../../src/schema/build.ts';
import { SchemaError } from '../../../src/schema/schema-error.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { component, contentType, problemsOf, registryOf } from '../../support/schema-files.ts';

const FILE = 'content-types/thing/schema.json';
const thing = (attributes: Record<string, unknown>) => problemsOf([contentType('thing', attributes)]);

describe('several files', () => {
  it('are reported together: file, key and what was expected', () => {
    const problems = problemsOf(
      [
        contentType('one', {
          a: { type: 'string', maxLength: 'long' },
          b: { type: 'relation', relation: 'some' },
          e: { type: 'relation', relation: 'oneToOne' },
        }),
        contentType('two', { c: { type: 'string', regex: '[' } }),
        { path: 'content-types/three/schema.json', json: [] },
      ],
      [{ path: 'content-types/components/shared/seo.json', json: { attributes: { d: { type: 'nope' } } } }],
    );
    const places = problems.map((problem) => problem.split(': ').slice(0, 2).join(' '));
    expect(places).toEqual(
      expect.arrayContaining([
        'content-types/one/schema.json attributes.a.maxLength',
        'content-types/one/schema.json attributes.b.relation',
        'content-types/one/schema.json attributes.e.target',
        'content-types/two/schema.json attributes.c',
        'content-types/three/schema.json (whole file)',
        'content-types/components/shared/seo.json attributes.d.type',
      ]),
    );
  });

  it('make one error whose message has a line for each problem', () => {
    const build = () => registryOf([contentType('one', { id: { type: 'string' } }), contentType('two', { x: {} })]);
    expect(build).toThrow(SchemaError);
    expect(build).toThrow(/^2 problems in content-types\/:\n {2}.*two.*\n {2}.*one/s);
  });
});

describe('a file that is no schema', () => {
  it.each([
    ['null', null],
    ['text', 'schema'],
    ['a list', []],
    ['a number', 1],
  ])('is refused when it is %s', (_, json) => {
    expect(problemsOf([{ path: FILE, json }])).toHaveLength(1);
  });

  it.each([
    ['kind', { kind: 'table' }],
    ['info', { info: undefined }],
    ['attributes', { attributes: undefined }],
    ['collectionName', { collectionName: 'a b' }],
    ['collectionName', { collectionName: 'a"; drop table b; --' }],
    ['info.singularName', { info: { singularName: 'Big Name', pluralName: 'things' } }],
    ['info.pluralName', { info: { singularName: 'thing' } }],
    ['info.displayName', { info: { singularName: 'thing', pluralName: 'things', displayName: 1 } }],
    ['options.draftAndPublish', { options: { draftAndPublish: 'yes' } }],
    ['pluginOptions.i18n.localized', { pluginOptions: { i18n: { localized: 1 } } }],
    ['config.settings.mainField', { config: { settings: { mainField: 1 } } }],
    ['config.layouts.edit.0.0.size', { config: { layouts: { edit: [[{ name: 'a', size: 13 }]] } } }],
  ])('names the key %s for %o', (key, change) => {
    const { path, json } = contentType('thing', {});
    const problems = problemsOf([{ path, json: { ...(json as object), ...change } }]);
    expect(problems).toEqual([expect.stringMatching(`^${FILE}: ${key.replaceAll('.', '\\.')}: .`)]);
  });
});

describe('an attribute', () => {
  it.each([
    ['type', {}],
    ['type', { type: 'strng' }],
    ['enum', { type: 'enumeration' }],
    ['enum', { type: 'enumeration', enum: [] }],
    ['minLength', { type: 'string', minLength: -1 }],
    ['maxLength', { type: 'text', maxLength: 1.5 }],
    ['min', { type: 'integer', min: 'few' }],
    ['max', { type: 'decimal', max: true }],
    ['regex', { type: 'string', regex: 5 }],
    ['required', { type: 'boolean', required: 'yes' }],
    ['private', { type: 'date', private: 1 }],
    ['unique', { type: 'float', unique: 'no' }],
    ['target', { type: 'relation', relation: 'oneToOne' }],
    ['target', { type: 'relation', relation: 'oneToOne', target: 'things' }],
    ['relation', { type: 'relation', target: 'api::thing.thing' }],
    ['component', { type: 'component' }],
    ['components', { type: 'dynamiczone' }],
    ['multiple', { type: 'media', multiple: 'many' }],
    ['allowedTypes.0', { type: 'media', allowedTypes: ['pictures'] }],
    ['required', { type: 'string', required: 'yes' }],
    ['unique', { type: 'uid', unique: 'yes' }],
    ['minLength', { type: 'uid', minLength: -1 }],
    ['required', { type: 'enumeration', enum: ['a'], required: 'yes' }],
    ['unique', { type: 'integer', unique: 'yes' }],
    ['required', { type: 'media', required: 'yes' }],
    ['required', { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing', required: 'yes' }],
    ['private', { type: 'relation', relation: 'morphOne', target: 'api::thing.thing', morphBy: 'it', private: 1 }],
    ['writable', { type: 'relation', relation: 'morphToOne', writable: 'no' }],
    ['required', { type: 'component', component: 'a.b', required: 'yes' }],
    ['min', { type: 'component', component: 'a.b', min: 'few' }],
    ['required', { type: 'dynamiczone', components: [], required: 'yes' }],
    ['max', { type: 'dynamiczone', components: [], max: 'many' }],
  ])('names the option %s of %o', (option, json) => {
    expect(thing({ it: json })).toEqual([expect.stringMatching(`^${FILE}: attributes\\.it\\.${option}: .`)]);
  });

  it('is refused with a regular expression that is none, and the message quotes it', () => {
    expect(thing({ it: { type: 'string', regex: '[a-' } })).toEqual([
      `${FILE}: attributes.it: a regular expression; "[a-" is not one`,
    ]);
  });

  it.each([
    ['with an unknown type', { it: { type: 'strng' } }, /^attributes\.it\.type: one of string, text, .*, dynamiczone$/],
    [
      'with a name that is none',
      { '1st': { type: 'string' } },
      /^attributes\.1st: a name of letters, digits, _ and - /,
    ],
    [
      'with an operator that is none',
      { it: { type: 'string', conditions: { visible: { nope: [] } } } },
      /: conditions of var, if, .*; "nope" is an unknown operator$/,
    ],
    [
      'with an option of another type',
      { it: { type: 'string', regex: 5 } },
      /^attributes\.it\.regex: Invalid input: expected string, received number$/,
    ],
  ])('is refused %s, and the message says what was expected', (_, attributes, expected) => {
    expect(thing(attributes).map((problem) => problem.slice(`${FILE}: `.length))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  const relation = { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' };

  it('is refused with inversedBy and mappedBy at once', () => {
    expect(thing({ it: { ...relation, inversedBy: 'it', mappedBy: 'it' } })).toEqual([
      `${FILE}: attributes.it: either inversedBy or mappedBy, not both`,
    ]);
  });

  it.each([
    ['inversedBy', 'mappedBy'],
    ['mappedBy', 'inversedBy'],
  ])('is refused where both sides have %s', (side, opposite) => {
    const both = { it: { ...relation, [side]: 'other' }, other: { ...relation, [side]: 'it' } };
    const told = (name: string, other: string) =>
      `${FILE}: attributes.${name}.${side}: the name of an attribute of api::thing.thing with ${opposite}; "${other}" has ${side}, too`;
    expect(thing(both)).toEqual([told('it', 'other'), told('other', 'it')]);
  });

  it('may be related both ways, and name an attribute as its other side that names none', () => {
    const other = (more: object) =>
      thing({ it: { ...relation, inversedBy: 'other' }, other: { ...relation, ...more } });
    expect(other({ mappedBy: 'it' })).toEqual([]);
    expect(other({})).toEqual([]);
  });

  it.each(['morphOne', 'morphMany'])('is refused as a %s of what is no polymorphic relation', (kind) => {
    const morph = (morphBy: string) => ({ ...relation, relation: kind, morphBy });
    const parent = { type: 'relation', relation: 'morphToOne' };
    expect(thing({ it: morph('parent'), parent })).toEqual([]);
    for (const name of ['other', 'nope'])
      expect(thing({ it: morph(name), other: relation })).toEqual([
        `${FILE}: attributes.it.morphBy: a morphToOne or morphToMany of api::thing.thing; "${name}" is not one`,
      ]);
  });

  it('may be its own other side, as long as it holds its links', () => {
    const own = (side: string) => thing({ it: { ...relation, relation: 'manyToMany', [side]: 'it' } });
    expect(own('inversedBy')).toEqual([]);
    expect(own('mappedBy')).toHaveLength(1);
  });

  it('is refused where the side holds its links that cannot, as in Strapi', () => {
    expect(thing({ it: { ...relation, relation: 'oneToMany', inversedBy: 'it' } })).toEqual([
      `${FILE}: attributes.it: mappedBy in place of inversedBy; the side with many documents never holds the links`,
    ]);
    expect(thing({ it: { ...relation, relation: 'manyToOne', mappedBy: 'it' } })).toEqual([
      `${FILE}: attributes.it: inversedBy in place of mappedBy; the side with one document always holds the links`,
    ]);
  });

  it.each(['1st', 'a b', 'a"b', 'a.b', '', '$a', '__proto', 'é'])('is refused with the name %j', (name) => {
    expect(thing({ [name]: { type: 'string' } })).toHaveLength(1);
  });

  it.each([
    'id',
    'documentId',
    'createdAt',
    'updatedAt',
    'publishedAt',
    'createdBy',
    'updatedBy',
    'document_id',
    'locale',
    'localizations',
    'meta',
    'strapi_stage',
    'overflowAttributes',
    'constructor',
    'Constructor',
    'toString',
  ])('is refused with the reserved name %s', (name) => {
    expect(thing({ [name]: { type: 'string' } })).toEqual([
      `${FILE}: attributes.${name}: another name: this one is reserved`,
    ]);
  });

  it('may be called status where there are no drafts, and nowhere else', () => {
    const attributes = { status: { type: 'string' } };
    const type = (drafts: boolean) => contentType('thing', attributes, { drafts });
    expect(problemsOf([type(false)], [component('shared.state', attributes)])).toEqual([]);
    expect(problemsOf([type(true)])).toEqual([`${FILE}: attributes.status: another name: this one is reserved`]);
    const meta = contentType('thing', { meta: { type: 'string' } }, { drafts: true });
    expect(problemsOf([meta])).toEqual([`${FILE}: attributes.meta: another name: this one is reserved`]);
  });

  it('is refused when its column is that of another', () => {
    expect(thing({ fooBar: { type: 'string' }, foo_bar: { type: 'string' } })).toEqual([
      `${FILE}: attributes.foo_bar: a name that differs from "fooBar" by more than its case`,
    ]);
  });
});

describe('a column of every table', () => {
  it.each([
    ['ID', 'id'],
    ['DocumentId', 'document_id'],
    ['Locale', 'locale'],
    ['published_at', 'published_at'],
    ['created_at', 'created_at'],
    ['updated_at', 'updated_at'],
  ])('is taken: an attribute %s is refused', (name, column) => {
    expect(thing({ [name]: { type: 'string' } })).toEqual([
      `${FILE}: attributes.${name}: a name that differs from "${column}" by more than its case`,
    ]);
  });
});

describe('a reference', () => {
  it('to a content type, a component or an inverse that is not there is refused', () => {
    const problems = thing({
      a: { type: 'relation', relation: 'oneToOne', target: 'api::nope.nope' },
      b: { type: 'component', component: 'shared.nope' },
      c: { type: 'dynamiczone', components: ['shared.nope', 'shared.none'] },
      d: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'nope' },
    });
    expect(problems).toEqual([
      `${FILE}: attributes.a.target: a content type that exists; "api::nope.nope" does not`,
      `${FILE}: attributes.b.component: a component that exists; "shared.nope" does not`,
      `${FILE}: attributes.c.components: components that exist; "shared.nope" does not`,
      `${FILE}: attributes.c.components: components that exist; "shared.none" does not`,
      `${FILE}: attributes.d.mappedBy: the name of an attribute of api::thing.thing that is a relation; "nope" is not one`,
    ]);
  });

  it('inside a component is checked too', () => {
    const card = component('shared.card', { link: { type: 'component', component: 'shared.nope' } });
    expect(problemsOf([], [card])).toEqual([
      `${card.path}: attributes.link.component: a component that exists; "shared.nope" does not`,
    ]);
  });
});

it('checks no references of files that were checked before', () => {
  const files = { contentTypes: [contentType('thing', { a: { type: 'component', component: 'shared.nope' } })] };
  expect(buildRegistry({ ...files, components: [] }, TRUSTED).routes.size).toBe(1);
});

it('accepts a deployment without any content type', () => {
  expect(buildRegistry({ contentTypes: [], components: [] }, CHECKED).routes.size).toBe(0);
});
