/**
 * @module Fields, sort, versions and counts of a read.
 */
import { describe, expect, it } from 'vitest';
import { contentActions } from '../../../src/access/actions.ts';
import { only } from '../../../src/access/grants.ts';
import type { Selection } from '../../../src/content/plan/model/read-plan.ts';
import { planNamed, planOne } from '../../../src/content/plan/read/plan-read.ts';
import { NO_PARAMS } from '../../../src/content/request/plain-params.ts';
import { single } from '../../../src/schema/document-ref.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { recordedRegistry, typeAt } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { listPlan, onePlan, readerOf, refusal, shownNames } from './support.ts';

const articles = typeAt('articles');
const authors = typeAt('authors');
const issues = typeAt('issues');
const HIDDEN = ['internalNotes', 'editorRank', 'accessCode', 'createdBy', 'updatedBy'] as const;

describe('fields', () => {
  it('that are unknown are refused without a path', () => {
    expect(refusal(() => listPlan(articles, 'fields=title,nope'))).toMatchObject({
      status: 400,
      message: 'Invalid key nope',
      details: { key: 'nope', path: null, source: 'query', param: 'fields' },
    });
  });

  it.each([...HIDDEN, 'cover', 'author', 'seo', 'facts', 'sections', 'localizations'])(
    'may not name %s, and are refused with its path',
    (name) => {
      expect(refusal(() => listPlan(articles, `fields=${name}`))).toMatchObject({
        message: `Invalid key ${name}`,
        details: { key: name, path: name, source: 'query', param: 'fields' },
      });
    },
  );

  it('that are empty are refused', () => {
    expect(refusal(() => listPlan(articles, 'fields='))).toMatchObject({ status: 400, message: 'Invalid key ' });
  });

  it.each([
    ['fields[]=title,slug', 'Invalid fields parameter'],
    ['fields[]=title,internalNotes', 'Invalid fields parameter'],
    ['fields[]=title,nope', 'Invalid key nope'],
    ['fields[]=title,cover', 'Invalid key cover'],
    ['fields[]=,', 'Invalid key '],
    ['populate[author][fields][]=name,nope', 'Invalid key nope'],
  ])('%s, several in one text of a list, are refused with %s', (search, message) => {
    expect(refusal(() => listPlan(articles, search)).message).toContain(message);
  });

  it.each([
    ['fields=title,slug', ['title', 'slug']],
    ['fields=slug,title', ['slug', 'title']],
    ['fields=id,documentId', []],
    ['fields=title,id', ['title']],
  ])('%s show %j besides the identifiers', (search, names) => {
    expect(shownNames(listPlan(articles, search))).toEqual(names);
  });

  it.each([
    ['of a page', 'fields=title,slug&filters[author][name]=x'],
    ['of all attributes', 'filters[author][name]=x&sort=title'],
    ['of a target', 'populate[author][fields]=name&populate[author][populate][articles][fields]=title'],
    ['of all attributes of a target', 'populate[author][populate]=*&populate[author][sort]=name'],
  ])('%s are the same list in every plan, by which pieces of SQL are kept', (_, search) => {
    const listsOf = ({ attributes, populate }: Selection): unknown[] => [
      attributes,
      ...populate.flatMap((node) => ('selection' in node ? listsOf(node.selection) : [])),
    ];
    const [first, again] = [1, 2].map(() => listsOf(listPlan(articles, search).selection));
    expect(first?.length).toBe(again?.length);
    for (const [index, list] of (first ?? []).entries()) expect(list).toBe(again?.[index]);
  });

  it.each([...recordedRegistry.routes.values()])('are all that may be shown of $uid without the parameter', (type) => {
    const shown = listPlan(type, '').selection.attributes;
    expect(shown.filter((attribute) => attribute.private || attribute.type === 'password')).toEqual([]);
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['createdAt', 'updatedAt', 'publishedAt']));
    expect(shown.some(({ name }) => name === 'locale')).toBe(type.localized);
  });
});

describe('sort', () => {
  it.each(['nope', '$eq', 'title.x', 'id.x'])('by %s is refused', (name) => {
    expect(refusal(() => listPlan(articles, `sort=${name}`))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^Invalid key /),
      details: { source: 'query', param: 'sort' },
    });
  });

  it.each([...HIDDEN])('by %s is refused with its path', (name) => {
    expect(refusal(() => listPlan(articles, `sort=${name}`))).toMatchObject({
      message: `Invalid key ${name}`,
      details: { key: name, path: name },
    });
  });

  it('by more terms than the limit is refused, and the limit is named', () => {
    const settings = parseSettings({ api: { rest: { limits: { sortTerms: 2 } } } });
    expect(refusal(() => listPlan(articles, 'sort=title,slug,tone', { settings }))).toMatchObject({
      message: 'Too many sort terms. Expected at most 2',
      details: { param: 'sort', limit: 'sortTerms' },
    });
  });

  it.each(['title:up', 'title:', 'title,author.name:1', '[title]=up', '[0][title]=up'])(
    'in no direction is refused: %s',
    (text) => {
      const search = text.startsWith('[') ? `sort${text}` : `sort=${text}`;
      expect(refusal(() => listPlan(articles, search))).toMatchObject({
        message: 'Invalid order. order can only be one of asc|desc|ASC|DESC',
      });
    },
  );

  it.each([
    ['sort=title:up,nope', 'Invalid key nope'],
    ['sort=nope:up', 'Invalid key nope'],
    ['sort[nope]=', 'Invalid key nope'],
    ['sort=title&sort', 'Invalid key 0'],
    ['sort=tags:desc', 'Invalid key desc at tags'],
    ['sort=cover:up', 'Invalid key up at cover'],
    ['sort=tags: desc', 'Invalid key desc at tags'],
    ['sort=sections:up', 'Invalid key sections'],
    ['populate[author][sort]=name:up,nope', 'Invalid key nope'],
    ['sort[title][]=asc&sort[slug]=asc', 'Invalid sort type expected object or string got object'],
    ['sort[title]=asc&sort[slug]', 'Invalid sort type expected object or string got object'],
    ['sort[author][name][]=asc&sort[slug]=asc', 'Invalid sort type expected object or string got object'],
    ['sort[0][title][]=asc&sort[1][slug]=asc', 'Invalid sort type expected object or string got object'],
    ['sort[author]&sort[slug]=asc', 'Invalid key author'],
  ])('tells unknown names before wrong directions: %s', (search, message) => {
    expect(refusal(() => listPlan(articles, search))).toMatchObject({ message });
  });

  it.each([
    ['sort=title&fields=tone&filters[author][name]=a', ['tone', 'title']],
    ['sort=title&fields=tone&filters[$or][0][$not][seo][metaTitle]=a', ['tone', 'title']],
    ['sort=title&fields=tone', ['tone']],
    ['sort=title,author.name&fields=tone&filters[author][name]=a', ['tone']],
    ['fields=tone&filters[author][name]=a', ['tone']],
  ])('is shown beside the fields behind a filter that leads further: %s', (search, names) => {
    expect(shownNames(listPlan(articles, search))).toEqual(names);
  });

  it.each([
    ['', ['+id']],
    ['sort[title]=', ['+id']],
    ['sort= title : Desc ', ['-title', '+id']],
    ['sort=title', ['+title', '+id']],
    ['sort=title:desc,slug', ['-title', '+slug', '+id']],
    ['sort=id:desc', ['-id']],
    ['sort=documentId', ['+documentId', '+id']],
    ['sort=extra', ['+extra', '+id']],
  ])('%j always ends in the id', (search, order) => {
    const terms = listPlan(articles, search).order;
    expect(terms.map(({ attribute, descending }) => `${descending ? '-' : '+'}${attribute.name}`)).toEqual(order);
  });
});

describe('drafts', () => {
  const FORBIDDEN = { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} };
  const finds = contentActions(recordedRegistry).filter((id) => !id.endsWith('.readDrafts'));
  const stranger = { grants: only(finds) };

  it('are refused to a caller who may not read them', () => {
    expect(refusal(() => listPlan(articles, 'status=draft', stranger))).toEqual(FORBIDDEN);
    expect(listPlan(authors, 'status=draft', stranger).versions.status).toBe('published');
  });

  it.each([
    'populate=articles',
    'populate=*',
    'populate[articles][count]=true',
    'populate=articles.localizations',
    'filters[articles][title]=a',
    'filters[$not][articles][$null]=true',
    'sort=articles.title',
  ])('are refused behind a type without them, with %s', (search) => {
    for (const status of ['status=draft', 'status=', 'status'])
      expect(refusal(() => listPlan(authors, `${status}&${search}`, stranger))).toEqual(FORBIDDEN);
    expect(() => listPlan(authors, `status=draft&${search}`)).not.toThrow();
    expect(() => listPlan(authors, search, stranger)).not.toThrow();
  });

  it('need a right for each type that is read', () => {
    const reviewer = { grants: only([...finds, 'api::article.article.readDrafts']) };
    expect(() => listPlan(articles, 'status=draft&populate=related', reviewer)).not.toThrow();
    expect(refusal(() => listPlan(articles, 'status=draft&populate=coverOf', reviewer))).toEqual(FORBIDDEN);
  });

  it('are asked for by name, of each type that is read and of no other', () => {
    const asked = new Set<string>();
    const grants = { allows: (id: string) => asked.add(id).size > 0 };
    listPlan(authors, 'status=draft&populate[articles][filters][related][coverOf][title]=a&sort=account.id', {
      grants,
    });
    expect([...asked].filter((id) => id.endsWith('.readDrafts')).toSorted()).toEqual([
      'api::article.article.readDrafts',
      'api::issue.issue.readDrafts',
    ]);
  });

  it('are nothing to what is left out, nor to what stands below it', () => {
    const grants = only(finds.filter((id) => id !== 'api::article.article.find'));
    for (const search of ['populate=articles', 'populate=articles.related', 'populate[articles][populate]=coverOf'])
      expect(listPlan(authors, `status=draft&${search}`, { grants }).selection.populate).toEqual([]);
    expect(refusal(() => listPlan(authors, 'status=draft&sort=articles.title', { grants })).status).toBe(400);
  });
});

describe('a path of a populate', () => {
  const finds = contentActions(recordedRegistry).filter((id) => id !== 'api::issue.issue.find');
  const shown = (search: string) =>
    listPlan(articles, search, { grants: only(finds) }).selection.populate.map((node) => node.name);

  it.each([
    ['populate=author.articles.coverOf', []],
    ['populate[0]=author.articles.coverOf&populate[1]=tags', ['tags']],
    ['populate=author.articles.coverOf,tags', ['author', 'tags']],
    ['populate[0]=nope&populate[tags]=true', ['tags']],
    ['populate[true][nope]=x&populate[tags][1]=nope&populate[tags][fields]=name', ['tags']],
    ['populate=author.articles.coverOf,', ['author']],
    ['populate=coverOf.editor,tags', ['tags']],
    ['populate=author.articles.coverOf.editor,tags', ['tags']],
  ])('that leads to what the caller may not find: %s', (search, names) => {
    expect(shown(search)).toEqual(names);
  });
});

describe('a private attribute in a populate', () => {
  const uid = 'api::thing.thing';
  const own = { type: 'relation', relation: 'oneToOne', target: uid };
  const model = registryOf(
    [
      contentType('thing', {
        open: own,
        link: { ...own, private: true },
        part: { type: 'component', component: 'parts.part', private: true },
        file: { type: 'media', private: true },
        zone: { type: 'dynamiczone', components: ['parts.part'], private: true },
        note: { type: 'string', private: true },
      }),
    ],
    [component('parts.part', { to: own })],
  );
  const type = [...model.routes.values()].find((item) => item.uid === uid);
  if (!type) throw new Error('there is no such type');
  const plan = (search: string) => listPlan(type, `populate=${search}`, { registry: model });
  const shown = (search: string) => plan(search).selection.populate.map(({ name }) => name);
  const hidden = ['link', 'part', 'file', 'zone', 'createdBy', 'open.link', 'open.createdBy'];

  it.each([...hidden, 'link.open', 'part.to', 'zone.to', 'note'])('is refused: %s', (name) => {
    expect(refusal(() => plan(name)).message).toContain('Invalid key');
  });

  it.each(hidden)('is left out of a text with commas: %s', (name) => {
    expect(shown(`${name},open`)).toEqual(['open']);
    expect(JSON.stringify(plan(`${name},open`).selection)).not.toMatch(/"name":"(link|part|file|zone|to)"/);
  });

  it.each(['link.open,open', 'part.to,open', 'zone.to,open', 'note,open'])('leads nowhere: %s', (text) => {
    expect(refusal(() => plan(text)).message).toContain('Invalid key');
  });
});

describe('an attribute whose name reads as a switch', () => {
  const to = (target: string) => ({ type: 'relation', relation: 'oneToOne', target });
  const uid = 'api::thing.thing';
  const model = registryOf([
    contentType('thing', { t: to(uid), true: to(uid), f: to('api::other.other') }),
    contentType('other', { name: { type: 'string' } }),
  ]);
  const type = [...model.routes.values()].find((item) => item.uid === uid);
  if (!type) throw new Error('there is no such type');
  const shown = (search: string) =>
    listPlan(type, search, { registry: model, grants: only([`${uid}.find`]) }).selection.populate.map(
      ({ name }) => name,
    );

  it.each([
    ['populate=t', ['t']],
    ['populate[t]=true', ['t']],
    ['populate[true]=true&populate[false]=true', ['true']],
    ['populate[t]=false&populate[true][fields]=id', ['true']],
    ['populate[f]=true&populate[t]=true', ['t']],
    ['populate[1]=f&populate[t]=true', ['t']],
  ])('%s shows %j', (search, names) => {
    expect(shown(search)).toEqual(names);
  });

  it('is one to the limits, too', () => {
    const deep = `populate${'[t][populate]'.repeat(11)}=t`;
    expect(refusal(() => listPlan(type, deep, { registry: model })).status).toBe(400);
    const unknown = 'populate[t][populate][nope]=true';
    expect(refusal(() => listPlan(type, unknown, { registry: model })).message).toBe('Invalid key nope at t');
  });
});

describe('versions', () => {
  it.each([
    [articles, '', { status: 'published', locales: ['en'] }],
    [articles, 'status=draft', { status: 'draft', locales: ['en'] }],
    [articles, 'locale=fr', { status: 'published', locales: ['fr'] }],
    [articles, 'locale[]=fr&locale[]=en', { status: 'published', locales: ['fr', 'en'] }],
    [articles, 'locale=*', { status: 'published' }],
    [articles, 'filters[locale]=fr', { status: 'published' }],
    [issues, 'locale=fr', { status: 'published', locales: [''] }],
    [authors, 'status=draft', { status: 'published', locales: [''] }],
  ])('of $uid with %j', (type, search, versions) => {
    expect(listPlan(type, search).versions).toEqual(versions);
  });

  it('of one document are of one locale', () => {
    expect(refusal(() => onePlan(articles, 'locale[]=fr&locale[]=en'))).toMatchObject({
      status: 400,
      message: 'Invalid locale param fr,en provided. Document locales must be strings.',
    });
    expect(onePlan(articles, 'locale=fr').versions).toEqual({ status: 'published', locales: ['fr'] });
  });

  it('of one document are those that a filter on the locale finds', () => {
    expect(onePlan(articles, 'filters[locale]=fr').versions).toEqual({ status: 'published' });
    expect(onePlan(articles, 'filters[locale]=fr&locale=en&status=draft').versions).toEqual({ status: 'draft' });
    expect(onePlan(issues, 'filters[title]=x&locale=fr').versions.locales).toEqual(['']);
  });

  it('follow the default locale of the settings', () => {
    const settings = parseSettings({ i18n: { locales: [{ code: 'de', name: 'German', isDefault: true }] } });
    expect(listPlan(articles, '', { settings }).versions.locales).toEqual(['de']);
  });
});

describe('the total', () => {
  it.each([
    ['', 'counter'],
    ['status=draft', 'counter'],
    ['filters[title]=a', 'query'],
    ['_q=a', 'query'],
    ['publicationFilter=modified', 'query'],
    ['pagination[withCount]=false', 'none'],
    ['filters[title]=a&pagination[withCount]=false', 'none'],
  ])('with %j comes from: %s', (search, count) => {
    expect(listPlan(articles, search).count).toBe(count);
  });

  it('is not asked for with one document', () => {
    expect(onePlan(articles, '').count).toBe('none');
  });
});

describe('the read of one row', () => {
  const home = typeAt('homepage');

  it('throws for a collection type without a document', () => {
    expect(() => planOne(NO_PARAMS, articles, { kind: 'single' }, readerOf({}))).toThrow(
      'api::article.article is no single type: which of its documents?',
    );
    expect(() => planOne(NO_PARAMS, articles, single(articles), readerOf({}))).toThrow('is no single type');
  });

  it('names the document of a collection type, and none of a single type', () => {
    expect(onePlan(articles, '').documentId).toBe('abc');
    expect(planOne(NO_PARAMS, home, single(home), readerOf({}))).not.toHaveProperty('documentId');
  });

  it('names the numeric id, besides the filters', () => {
    const ofId = { kind: 'compare', operands: [7] };
    expect(planNamed(NO_PARAMS, articles, 7, readerOf({})).where).toMatchObject(ofId);
    const params = { ...NO_PARAMS, search: 'any' };
    expect(planNamed(params, articles, 7, readerOf({})).where).toMatchObject({
      kind: 'and',
      conditions: [ofId, { kind: 'search' }],
    });
  });
});

describe('_q', () => {
  const model = registryOf([
    contentType('thing', {
      name: { type: 'string' },
      kind: { type: 'enumeration', enum: ['a'] },
      count: { type: 'integer' },
      flag: { type: 'boolean' },
      day: { type: 'date' },
      secret: { type: 'string', private: true },
      pin: { type: 'password' },
      data: { type: 'json' },
    }),
  ]);
  const searched = (text: string) => {
    const { where } = listPlan(typeAt('things', model), `_q=${text}`, { registry: model });
    return where?.kind === 'search' ? where.attributes.map(({ name }) => name) : where?.kind;
  };

  it.each([
    ['abc', ['documentId', 'name', 'kind']],
    ['12', ['documentId', 'name', 'kind', 'count']],
  ])('%s looks into %j and into nothing private', (text, names) => {
    expect(searched(text)).toEqual(names);
  });
});
