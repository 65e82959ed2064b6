/**
 * @module The steps that filters, sorts and populates take: to which versions, and to which rows of a type.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only, ruleOf } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import type { Populate, ReadPlan, Selection } from '../../../src/content/plan/model/read-plan.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, onePlan, printCondition, printStep, type ReaderOptions, refusal } from './support.ts';

const any = { type: 'relation', relation: 'morphToMany' };
const registry = registryOf(
  [
    contentType('mark', { name: { type: 'string' }, story: relation('oneToOne', 'story') }),
    contentType('topic', {
      ...{ name: { type: 'string' }, secret: { type: 'string' }, mark: relation('manyToOne', 'mark') },
      ...{
        lead: relation('oneToOne', 'story', { inversedBy: 'leadOf' }),
        box: { type: 'component', component: 'kit.box' },
      },
      hidden: relation('oneToOne', 'mark', { private: true }),
    }),
    contentType(
      'story',
      {
        ...{ title: { type: 'string' }, topic: relation('manyToOne', 'topic'), cover: { type: 'media' } },
        ...{ leadOf: relation('oneToOne', 'topic', { mappedBy: 'lead' }), any },
      },
      { drafts: true, localized: true, plural: 'stories' },
    ),
  ],
  [component('kit.box', { story: relation('oneToOne', 'story'), mark: relation('oneToOne', 'mark'), any })],
);
const FINDS = ['mark', 'topic', 'story'].map((name) => `api::${name}.${name}.find`);
const DRAFTS = 'api::story.story.readDrafts';
const reader = only(FINDS);
const editor = only([...FINDS, DRAFTS]);

/** The rules of `find`, by the name of a type. */
function limited(rules: Readonly<Record<string, Partial<Rule>>>, { allows }: Grants = editor): Grants {
  const ofId = new Map(
    Object.entries(rules).map(([name, rule]): [string, Rule] => [
      `api::${name}.${name}.find`,
      { key: name, caller: { user: undefined, now: 0 }, ...rule },
    ]),
  );
  return { allows, rule: (id) => ofId.get(id) };
}

function planOf(name: string, search: string, options: ReaderOptions = {}, of = listPlan): ReadPlan {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (!type) throw new Error(name);
  const grants = options.grants ?? editor;
  return of(type, search, { registry, rule: ruleOf(grants, type.uid, 'find'), ...options, grants });
}

const whereOf = (...args: Parameters<typeof planOf>): string => printCondition(planOf(...args).where);

function printNode(node: Populate): string {
  switch (node.kind) {
    case 'dynamiczone':
    case 'related':
      return node.name;
    case 'polymorphic':
      return `${node.name}(${node.parts.map(printNode).join(', ')})`;
    default:
      return `${printStep(node)}${node.where ? ` where ${printCondition(node.where)}` : ''}${printBelow(node.selection)}`;
  }
}
const printBelow = ({ populate }: Selection): string =>
  populate.length > 0 ? ` > ${populate.map(printNode).join('; ')}` : '';
const populated = (...args: Parameters<typeof planOf>): readonly string[] =>
  planOf(...args).selection.populate.map(printNode);

describe('a filter', () => {
  it.each<[string, string, Grants, string]>([
    ['topic', 'filters[lead][title]=a', reader, 'story published to published: title $eq "a"'],
    ['topic', 'filters[lead][title]=a', editor, 'story published to published both: title $eq "a"'],
    [
      'topic',
      'filters[lead][cover][name]=a',
      reader,
      'story published to published: file published to published: name $eq "a"',
    ],
    [
      'topic',
      'filters[lead][cover][name]=a',
      editor,
      'story published to published both: file published to published both own: name $eq "a"',
    ],
    [
      'topic',
      'filters[mark][story][title]=a',
      editor,
      'mark published to published: story published to published both: title $eq "a"',
    ],
    [
      'topic',
      'status=draft&filters[mark][story][title]=a',
      editor,
      'mark published to published: story draft to draft both: title $eq "a"',
    ],
    ['topic', 'filters[box][story][title]=a', editor, 'box: story published both: title $eq "a"'],
    ['topic', 'filters[box][story][title]=a', reader, 'box: story published: title $eq "a"'],
    ['topic', 'filters[box][mark][name]=a', editor, 'box: mark published: name $eq "a"'],
    ['story', 'filters[topic][name]=a', editor, 'topic published to published: name $eq "a"'],
    ['story', 'status=draft&filters[topic][name]=a', editor, 'topic published to draft: name $eq "a"'],
    ['story', 'status=draft&filters[leadOf][name]=a', editor, 'topic published from draft: name $eq "a"'],
    ['story', 'status=draft&filters[localizations][title]=a', editor, 'locales draft: title $eq "a"'],
    ['story', 'filters[cover][name]=a', editor, 'file published to published: name $eq "a"'],
  ])('of %s?%s follows links of the versions that count', (name, search, grants, condition) => {
    expect(whereOf(name, search, { grants })).toBe(condition);
  });

  const OWN = { where: [{ title: 'own' }] };

  it.each<[string, string, string]>([
    ['topic', 'filters[lead][title]=a', 'story published to published both [or(title $eq "own")]: title $eq "a"'],
    ['topic', 'filters[box][story][title]=a', 'box: story published both [or(title $eq "own")]: title $eq "a"'],
    ['mark', 'filters[story][title]=a', 'story published to published both [or(title $eq "own")]: title $eq "a"'],
  ])('of %s?%s finds only targets that the caller may', (name, search, condition) => {
    expect(whereOf(name, search, { grants: limited({ story: OWN }) })).toBe(condition);
  });

  it('finds only targets that the caller may, without drafts', () => {
    const grants = limited({ story: OWN, mark: { where: [{ name: 'own' }] } }, reader);
    const visible = '[or(title $eq "own")]';
    expect(whereOf('topic', 'filters[lead][title]=a', { grants })).toBe(
      `story published to published ${visible}: title $eq "a"`,
    );
    expect(whereOf('topic', 'filters[box][story][title]=a', { grants })).toBe(
      `box: story published ${visible}: title $eq "a"`,
    );
    expect(whereOf('topic', 'filters[mark][name]=a', { grants })).toBe(
      'mark published to published [or(name $eq "own")]: name $eq "a"',
    );
  });

  it.each([
    'filters[mark][name]=a',
    'filters[hidden][name]=a',
    'filters[hidden][nope]=a',
    'sort=mark.name',
    'sort=hidden.name',
  ])('follows no relation that the caller may not: %s', (search) => {
    const grants = only(FINDS.filter((id) => id !== 'api::mark.mark.find'));
    expect(refusal(() => planOf('topic', search, { grants })).message).toMatch(/^Invalid key (mark|hidden)$/);
  });

  it('finds targets by the links of the versions that count', () => {
    const rules = { story: { where: [{ topic: { name: 'own' } }] } };
    const own = (versions: string) => `[or(topic published to published${versions}: name $eq "own")]`;
    for (const [grants, both, versions] of [
      [reader, '', ''],
      [editor, ' both', ' both own'],
    ] as const) {
      expect(whereOf('topic', 'filters[lead][title]=a', { grants: limited(rules, grants) })).toBe(
        `story published to published${both} ${own(versions)}: title $eq "a"`,
      );
      expect(whereOf('topic', 'filters[box][story][title]=a', { grants: limited(rules, grants) })).toBe(
        `box: story published${both} ${own(versions)}: title $eq "a"`,
      );
    }
  });

  it('knows the attributes alone that a rule shows', () => {
    const grants = limited({ topic: { fields: new Set(['name', 'lead']) } });
    expect(whereOf('topic', 'filters[name]=a', { grants })).toBe('name $eq "a"');
    expect(whereOf('story', 'filters[topic][name]=a', { grants })).toBe('topic published to published: name $eq "a"');
    for (const [name, search] of [
      ['topic', 'filters[secret]=a'],
      ['topic', 'sort=secret'],
      ['topic', 'fields=secret'],
      ['topic', '_q=a&sort=secret'],
      ['story', 'filters[topic][secret]=a'],
      ['story', 'populate[topic][fields]=secret'],
    ] as const)
      expect([search, refusal(() => planOf(name, search, { grants })).status]).toEqual([search, 400]);
    expect(planOf('topic', '', { grants }).selection.attributes.map(({ name }) => name)).toEqual(['name']);
  });
});

describe('a populate', () => {
  it.each<[string, string, string]>([
    ['topic', 'populate=lead', 'story published to published'],
    ['topic', 'populate=lead&status=draft', 'story draft to draft'],
    ['topic', 'populate=box.story', 'box > story published'],
    ['topic', 'populate=box.story&status=draft', 'box > story draft'],
    ['story', 'populate=cover', 'file published to published'],
    ['story', 'populate=leadOf.lead&status=draft', 'topic published from draft > story draft to draft'],
    ['story', 'populate=localizations.topic&status=draft', 'locales draft > topic published to draft'],
  ])('of %s?%s leads to the versions that are read', (name, search, node) => {
    expect(populated(name, search)).toEqual([node]);
  });

  const OWN: Partial<Rule> = { where: [{ title: 'own' }] };

  it('shows only targets that the caller may find', () => {
    const grants = limited({ story: OWN });
    const visible = '[or(title $eq "own")]';
    expect(populated('topic', 'populate=lead,box.story', { grants })).toEqual([
      `story published to published ${visible}`,
      `box > story published ${visible}`,
    ]);
    expect(populated('story', 'populate=localizations', { grants })).toEqual([`locales published ${visible}`]);
    expect(populated('topic', 'populate[box][populate][any][on][api::story.story]=true', { grants })).toEqual([
      `box > any(story published ${visible})`,
    ]);
  });

  it('shows other locales by the rule of the read to a caller who may not list them', () => {
    const rule: Rule = { key: 'read', caller: { user: undefined, now: 0 }, where: [{ title: 'read' }] };
    const mayRead = only(FINDS.filter((id) => id !== 'api::story.story.find'));
    const [read, find] = ['[or(title $eq "read")]', '[or(title $eq "own")]'].map((each) => [
      `locales published ${each}`,
    ]);
    expect(populated('story', 'populate=localizations', { grants: mayRead, rule }, onePlan)).toEqual(read);
    expect(populated('story', 'populate=localizations', { grants: limited({ story: OWN }), rule }, onePlan)).toEqual(
      find,
    );
    expect(populated('story', 'populate=localizations', { grants: editor, rule }, onePlan)).toEqual([
      'locales published',
    ]);
  });

  it('shows other locales by the rule of a preview, in the version that it is of', () => {
    const rule: Rule = { key: 'seen', caller: { user: undefined, now: 0 }, where: [{ title: 'read' }], drafts: true };
    const seen = (search: string) =>
      populated('story', search, { grants: limited({ story: OWN }, reader), rule }, onePlan);
    expect(seen('populate=localizations')).toEqual(['locales published [or(title $eq "read")]']);
    expect(seen('populate=localizations&status=draft')).toEqual(['locales draft [or(title $eq "read")]']);
  });

  it('hides the drafts of other locales from a caller who may not read them', () => {
    const options = { grants: reader };
    expect(refusal(() => planOf('story', 'populate=localizations&status=draft', options)).status).toBe(403);
  });

  const on = (...names: readonly string[]) =>
    names.map((name) => `populate[any][on][api::${name}.${name}]=true`).join('&');

  it.each<[string, Grants, string]>([
    [on('mark', 'story'), editor, 'any(mark published to published, story published to published)'],
    [on('mark', 'story'), reader, 'any(mark published to published, story published to published)'],
    [`${on('mark', 'story')}&status=draft`, editor, 'any(mark published to draft, story draft to draft)'],
    [on('mark', 'story'), only(FINDS.filter((id) => !id.includes('mark'))), 'any(story published to published)'],
    [on('mark'), editor, 'any(mark published to published)'],
  ])('of links to any type shows those of the types that the caller may find: %s', (search, grants, node) => {
    expect(populated('story', search, { grants })).toEqual([node]);
  });

  it('of links to any type leaves out drafts that the caller may not read', () => {
    const search = `${on('mark', 'story')}&status=draft`.replaceAll('populate[', 'populate[box][populate][');
    expect(populated('topic', search, { grants: reader })).toEqual(['box > any(mark published)']);
    expect(populated('topic', search)).toEqual(['box > any(mark published, story draft)']);
    expect(populated('topic', search.replace('&status=draft', ''), { grants: reader })).toEqual([
      'box > any(mark published, story published)',
    ]);
  });

  it('of files asks for no grant of files', () => {
    expect(populated('story', 'populate=cover', { grants: reader })).toHaveLength(1);
    expect(whereOf('story', 'filters[cover][name]=a', { grants: reader })).toContain('name $eq');
    expect(whereOf('story', 'filters[cover][name]=a', { grants: EVERYTHING })).toContain('name $eq');
  });
});
