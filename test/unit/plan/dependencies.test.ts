/**
 * @module The version stamps that a response depends on.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, ruleOf } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import type { Condition, ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { dependenciesOf } from '../../../src/content/plan/read/dependencies.ts';
import { component, contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';
import { listPlan, type ReaderOptions } from './support.ts';

const box = { type: 'component', component: 'kit.box', repeatable: true };
const registry = registryOf(
  [
    contentType('mark', { name: { type: 'string' } }),
    contentType('topic', {
      ...{ name: { type: 'string' }, box, stories: relation('oneToMany', 'story', { mappedBy: 'topic' }) },
      ...{ mark: relation('manyToOne', 'mark'), lead: relation('oneToOne', 'story') },
    }),
    contentType('issue', { title: { type: 'string' }, story: relation('manyToOne', 'story') }, { drafts: true }),
    contentType(
      'story',
      {
        ...{ title: { type: 'string' }, box, zone: { type: 'dynamiczone', components: ['kit.box'] } },
        ...{ topic: relation('manyToOne', 'topic', { inversedBy: 'stories' }), hero: { type: 'media' } },
        ...{ any: { type: 'relation', relation: 'morphToMany' }, issue: relation('manyToOne', 'issue') },
      },
      { drafts: true, localized: true, plural: 'stories' },
    ),
  ],
  [
    component('kit.box', {
      ...{ label: { type: 'string' }, mark: relation('oneToOne', 'mark') },
      ...{ story: relation('oneToOne', 'story'), topic: relation('oneToOne', 'topic') },
    }),
  ],
  {},
  {
    user: userFile({
      ...{ nick: { type: 'string' }, mark: relation('manyToOne', 'mark'), story: relation('manyToOne', 'story') },
    }),
    search: ['api::story.story'],
  },
);
const FILES = 'plugin::upload.file';

/** Grants all, but of each type only the rows that meet a condition. */
function limited(where: Readonly<Record<string, object>>): Grants {
  const rules = Object.entries(where).map(([name, filter]): [string, Rule] => {
    const rule = { key: name, caller: { user: 7, now: 0 }, where: [filter as Record<string, unknown>] };
    return [`api::${name}.${name}.find`, rule];
  });
  const byId = new Map(rules);
  return { ...EVERYTHING, rule: (id) => byId.get(id) };
}

const noDrafts: Grants = { allows: (id) => !id.endsWith('.readDrafts') };

function planOf(name: string, search: string, options: ReaderOptions = {}): ReadPlan {
  const type = registry.contentTypes.get(name === 'file' ? FILES : `api::${name}.${name}`);
  if (!type) throw new Error(name);
  const rule = options.grants && ruleOf(options.grants, type.uid, 'find');
  return listPlan(type, search, { registry, rule, ...options });
}

/** `mark published` for the stamp of a version of a type. */
const shortStamps = (plan: ReadPlan): string =>
  dependenciesOf(plan)
    .map((stamp) => stamp.replace(/^.*\./, ''))
    .sort()
    .join(', ');

const stampsOf = (...args: Parameters<typeof planOf>): string => shortStamps(planOf(...args));

const TOPIC = 'topic published';
const MARK = 'mark published';
const BOTH = 'story draft, story published';
const ALL_TOPIC = 'topic draft, topic published';

describe('a response depends on', () => {
  it.each<[string, string, string]>([
    ['topic', '', TOPIC],
    ['story', '', 'story published'],
    ['story', 'status=draft', 'story draft'],
    ['story', 'filters[title]=a&sort=title', 'story published'],
    ['topic', 'status=draft', TOPIC],
    // Targets, and links of the version that is read.
    ['topic', 'populate=mark', `${MARK}, ${TOPIC}`],
    ['topic', 'filters[mark][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'sort=mark.name', `${MARK}, ${TOPIC}`],
    ['story', 'populate=topic', `story published, ${TOPIC}`],
    ['story', 'populate=topic&status=draft', `story draft, topic draft, ${TOPIC}`],
    ['story', 'filters[topic][mark][name]=a', `${MARK}, story published, ${TOPIC}`],
    ['story', 'populate=hero', 'file published, story published'],
    ['topic', 'populate=lead&status=draft', `story draft, ${ALL_TOPIC}`],
    // From rows without drafts, filters and sorts follow the links of both versions.
    ['topic', 'populate=stories', `story published, ${TOPIC}`],
    ['topic', 'filters[stories][title]=a', `${BOTH}, ${ALL_TOPIC}`],
    ['topic', 'sort=stories.title', `${BOTH}, ${ALL_TOPIC}`],
    ['topic', 'populate[stories][sort]=topic.name', `story published, ${TOPIC}`],
    // Components, and the targets of their relations.
    ['story', 'filters[box][label]=a', 'story published'],
    ['story', 'populate=box,zone', 'story published'],
    ['story', 'populate=box.mark', `${MARK}, story published`],
    ['topic', 'filters[box][mark][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'filters[box][story][title]=a', `${BOTH}, ${TOPIC}`],
    ['story', 'filters[box][story][title]=a', 'story published'],
    ['story', 'populate[zone][on][kit.box][populate]=mark', `${MARK}, story published`],
    ['story', 'populate[zone][on][kit.box][filters][mark][name]=a', `${MARK}, story published`],
    // Below and beside what is populated.
    ['topic', 'populate[mark][filters][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'populate[stories][filters][topic][mark][name]=a', `${MARK}, story published, ${TOPIC}`],
    ['topic', 'populate[stories][sort]=topic.mark.name', `${MARK}, story published, ${TOPIC}`],
    ['topic', 'populate[box][populate][topic][populate]=mark', `${MARK}, ${TOPIC}`],
    ['story', 'populate[any][on][api::mark.mark]=*', `${MARK}, story published`],
    ['story', 'populate[any][on][api::topic.topic][populate]=mark', `${MARK}, story published, ${TOPIC}`],
    ['story', 'populate=localizations', 'story published'],
    ['story', 'populate[localizations][populate]=topic', `story published, ${TOPIC}`],
    // Groups and negations of conditions.
    ['topic', 'filters[$or][0][name]=a&filters[$or][1][mark][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'filters[$and][0][name]=a&filters[$and][1][mark][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'filters[$not][mark][name]=a', `${MARK}, ${TOPIC}`],
    ['topic', 'filters[name][$null]=true&_q=a', TOPIC],
    // The other version.
    ['story', 'publicationFilter=modified', BOTH],
    ['topic', 'populate[stories][filters][title]=a&publicationFilter=modified', `${BOTH}, ${TOPIC}`],
    ['story', 'publicationFilter=never-published', 'story published'],
    // Facets.
    ['story', 'facets=topic', `story published, ${TOPIC}`],
    ['story', 'facets=title', 'story published'],
  ])('of %s?%s: %s', (name, search, stamps) => {
    expect(stampsOf(name, search)).toBe(stamps);
  });

  it.each<[string, string, string]>([
    ['topic', 'filters[stories][title]=a', `story published, ${TOPIC}`],
    ['topic', 'filters[box][story][title]=a', `story published, ${TOPIC}`],
    ['file', 'populate=related', 'file published, story published'],
    ['story', 'filters[topic][lead][title]=a', `story published, ${TOPIC}`],
  ])('of %s?%s, without drafts for a caller who may read none: %s', (name, search, stamps) => {
    expect(stampsOf(name, search, { grants: noDrafts })).toBe(stamps);
  });

  it('the links of both versions of rows that both count', () => {
    const grants: Grants = { allows: (id) => id !== 'api::issue.issue.readDrafts' };
    const stamps = `issue draft, issue published, ${BOTH}, ${ALL_TOPIC}`;
    expect(stampsOf('topic', 'filters[stories][issue][title]=a', { grants })).toBe(stamps);
  });

  it('the conditions of lists on the other locales of one document', () => {
    const grants = limited({ story: { topic: { name: 'a' } } });
    const stamps = stampsOf('story', 'populate=localizations', { grants, rule: undefined });
    expect(stamps).toBe(`story published, ${TOPIC}`);
  });

  it('both versions of the types that use a file', () => {
    expect(stampsOf('file', 'populate=related')).toBe(`file draft, file published, ${BOTH}`);
  });

  it.each<[string, string, object, string]>([
    // What the conditions of a grant read, of the rows themselves …
    ['topic', '', { topic: { mark: { name: 'a' } } }, `${MARK}, ${TOPIC}`],
    ['topic', '', { topic: { name: '$user.nick' } }, `${TOPIC}, user draft, user published`],
    ['topic', '', { topic: { mark: '$user.mark' } }, `${MARK}, ${TOPIC}, user draft, user published`],
    ['topic', '', { topic: { $not: { name: 'a' } } }, TOPIC],
    // … and of targets, wherever these stand.
    ['story', 'populate=topic', { topic: { mark: { name: 'a' } } }, `${MARK}, story published, ${TOPIC}`],
    ['story', 'filters[topic][name]=a', { topic: { mark: { name: 'a' } } }, `${MARK}, story published, ${TOPIC}`],
    ['story', 'sort=topic.name', { topic: { mark: { name: 'a' } } }, `${MARK}, story published, ${TOPIC}`],
    ['story', 'facets=topic', { topic: { mark: { name: 'a' } } }, `${MARK}, story published, ${TOPIC}`],
    ['story', 'populate=box.topic', { topic: { mark: { name: 'a' } } }, `${MARK}, story published, ${TOPIC}`],
    ['story', 'publicationFilter=modified', { story: { topic: { name: 'a' } } }, `${BOTH}, ${ALL_TOPIC}`],
    ['issue', '', { issue: { story: '$user.story' } }, `issue published, ${BOTH}, user draft, user published`],
    ['story', 'populate=localizations', { story: { topic: { name: 'a' } } }, `story published, ${TOPIC}`],
    [
      'file',
      'populate=related',
      { story: { box: { mark: { name: 'a' } } } },
      `file draft, file published, mark draft, ${MARK}, ${BOTH}`,
    ],
  ])('of %s?%s under the conditions %j: %s', (name, search, where, stamps) => {
    expect(stampsOf(name, search, { grants: limited(where as Record<string, object>) })).toBe(stamps);
  });

  it('what the rows that a search or a chain of locales may find depend on', () => {
    const plan = planOf('story', '');
    const { where: visible } = planOf('story', 'filters[topic][mark][name]=a');
    const common = { ...(visible && { visible }), versions: plan.versions, status: 'published', locales: [] } as const;
    const search: Condition = { ...common, kind: 'words', type: plan.type, words: [], texts: [] };
    const expected = `${MARK}, story published, ${TOPIC}`;
    expect(shortStamps({ ...plan, where: search })).toBe(expected);
    expect(shortStamps({ ...plan, chain: { ...common, kind: 'first-locale' } })).toBe(expected);
  });

  it('the versions of each type and locale that it leads to', () => {
    const plan = planOf('story', '');
    const { selection } = planOf('story', 'status=draft&populate=localizations');
    expect(shortStamps({ ...plan, selection })).toBe(BOTH);
    const other: Condition = { kind: 'other-version', exists: true, scope: 'version', status: 'published' };
    const { where: related } = planOf('topic', 'filters[lead][title]=a', { grants: noDrafts });
    if (related?.kind !== 'related') throw new Error('no relation');
    expect(shortStamps({ ...planOf('topic', ''), where: { ...related, where: other } })).toBe(`${BOTH}, ${TOPIC}`);
  });

  it('each version once, in order', () => {
    const names = dependenciesOf(planOf('topic', 'populate=mark,stories&filters[mark][name]=a'));
    expect(names).toEqual([`api::mark.mark published`, 'api::story.story published', 'api::topic.topic published']);
  });
});
