/**
 * @module What a populate reads: the nodes of each notation, for attributes of every kind and callers of several grants.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { populatedOf, uidOf } from './populate-support.ts';

const OTHERS = 'file{file}; user{username, email, provider, confirmed, blocked}';
const COUNTED = 'file{file} count; user{username, email, provider, confirmed, blocked} count';
const ZONE =
  'zone(kit.box{label} > (tag{name, weight}; page{title, slug}; inner{mark}); kit.quote{text} > (tag{name, weight}; author{name}))';
const FINDS = ['page', 'person', 'tag'].map((name) => `${uidOf(name)}.find`);
const reader = only(FINDS);
/** May list all types but one, and read drafts. */
const without = (name: string): Grants =>
  only([...FINDS, 'api::page.page.readDrafts'].filter((id) => !id.startsWith(`${uidOf(name)}.`)));

describe('a populate', () => {
  it.each<[string, string, readonly string[]]>([
    ['page', 'populate=author.avatar', ['author{name} > (avatar{file})']],
    [
      'page',
      'populate=author.avatar,author.box,tags',
      ['author{name} > (avatar{file}; box{label})', 'tags[]{name, weight}'],
    ],
    ['page', 'populate=author,author.avatar', ['author{name} > (avatar{file})']],
    ['page', 'populate[]=author&populate[]=author.avatar', ['author{name} > (avatar{file})']],
    [
      'page',
      'populate=box.tag,box.inner.tags',
      ['box{label} > (tag{name, weight}; inner{mark} > (tags[]{name, weight}))'],
    ],
    [
      'page',
      'populate=zone.tag',
      ['zone(kit.box{label} > (tag{name, weight}); kit.quote{text} > (tag{name, weight}))'],
    ],
    ['page', 'populate=zone.author', ['zone(kit.box{label}; kit.quote{text} > (author{name}))']],
    [
      'page',
      'populate=zone.inner.tags',
      ['zone(kit.box{label} > (inner{mark} > (tags[]{name, weight})); kit.quote{text})'],
    ],
    [
      'page',
      'populate=zone.inner,zone.tag',
      ['zone(kit.box{label} > (inner{mark}; tag{name, weight}); kit.quote{text} > (tag{name, weight}))'],
    ],
    [
      'page',
      'populate=*',
      [
        'author{name}',
        'tags[]{name, weight}',
        'picture{file}',
        'pictures[]{file}',
        'box{label}',
        'boxes[]{label}',
        'zone(kit.box{label}; kit.quote{text})',
        `any[](${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`,
        `one(${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`,
        'localizations[]{title, slug}',
      ],
    ],
    ['page', 'populate=localizations.author', ['localizations[]{title, slug} > (author{name})']],
    ['page', 'populate=localizations,localizations.tags', ['localizations[]{title, slug} > (tags[]{name, weight})']],
    ['page', 'populate[author]=true', ['author{name}']],
    ['page', 'populate[author]=false', []],
    ['page', 'populate[author]=1', ['author{name}']],
    ['page', 'populate[author][on]', ['author{name}']],
    ['page', 'populate[any][on]=x', []],
    ['page', 'populate[author][fields]=name', ['author{name}']],
    ['page', 'populate[author][sort]=name&populate[author][fields]=id', ['author{name} by name']],
    [
      'page',
      'populate[tags][sort]=weight:desc,name&populate[tags][fields]=name',
      ['tags[]{name, weight} by weight desc, name'],
    ],
    ['page', 'populate[author][sort]=friend.name&populate[author][fields]=id', ['author{} by .name']],
    ['page', 'populate[localizations][sort]=title&populate[localizations][fields]=id', ['localizations[]{} by title']],
    ['page', 'populate[localizations][count]=true', ['localizations[]{title, slug}']],
    ['page', 'populate[tags][count]=true', ['tags[] count{name, weight}']],
    ['page', 'populate[tags][count]=1', ['tags[] count{name, weight}']],
    ['page', 'populate[pictures][count]=true', ['pictures[]{file}']],
    ['page', 'populate[tags][filters][name]=a', ['tags[]{name, weight} where name $eq "a"']],
    [
      'page',
      'populate[author][populate]=*',
      ['author{name} > (avatar{file}; box{label}; friend{name}; pages[]{title, slug})'],
    ],
    [
      'page',
      'populate[author][populate][]=avatar&populate[author][populate][]=box',
      ['author{name} > (avatar{file}; box{label})'],
    ],
    ['page', 'populate[author][populate][avatar]=true', ['author{name} > (avatar{file})']],
    [
      'page',
      'populate[tags][limit]=2&populate[tags][sort]=name',
      ['tags[] from 0 at most 2{name, weight} by name, id'],
    ],
    ['page', 'populate[tags][start]=2', ['tags[] from 2{name, weight}']],
    ['page', 'populate[tags][sort]=id&populate[tags][start]=2', ['tags[] from 2{name, weight} by id']],
    ['page', 'populate[box][populate]=tag', ['box{label} > (tag{name, weight})']],
    [
      'page',
      'populate[boxes][populate][inner][populate]=*',
      [
        `boxes[]{label} > (inner{mark} > (tags[]{name, weight}; any[](${OTHERS}; page{title, slug}; person{name}; tag{name, weight})))`,
      ],
    ],
    ['page', 'populate[true]=nope', []],
    ['page', 'populate[zone][count]=true', ['zone(kit.box{label}; kit.quote{text})']],
    ['page', 'populate[zone][count]=x', ['zone(kit.box{label}; kit.quote{text})']],
    ['page', 'populate[zone][populate]=*', [ZONE]],
    ['page', 'populate[box][populate][inner][populate][any][populate]=*', ['box{label} > (inner{mark})']],
    ['page', 'populate[zone][on]', ['zone(kit.box{label}; kit.quote{text})']],
    ['page', 'populate[zone][on]=', ['zone()']],
    ['page', 'populate[zone][on][kit.box]=true', ['zone(kit.box{label})']],
    ['page', 'populate[zone][on][kit.box]=false', ['zone(kit.box{label})']],
    ['page', 'populate[zone][on][kit.inner]=true', ['zone()']],
    ['page', 'populate[zone][on][kit.box][fields]=id', ['zone(kit.box{})']],
    ['page', 'populate[zone][on][kit.box][on][kit.quote]=true', ['zone(kit.box{label})']],
    ['page', 'populate[zone][on][kit.box][sort]=label', ['zone(kit.box{label})']],
    ['page', 'populate[zone][on][kit.box][filters][label]=a', ['zone(kit.box{label} where label $eq "a")']],
    ['page', 'populate[zone][on][kit.box][populate]=tag', ['zone(kit.box{label} > (tag{name, weight}))']],
    [
      'page',
      'populate[zone][on][kit.box][populate]=*',
      ['zone(kit.box{label} > (tag{name, weight}; page{title, slug}; inner{mark}))'],
    ],
    [
      'page',
      'populate[zone][on][kit.box]=true&populate[zone][on][kit.quote][populate]=author',
      ['zone(kit.box{label}; kit.quote{text} > (author{name}))'],
    ],
    ['page', 'populate[zone][on][kit.box]=true&populate[zone][fields]=x', ['zone(kit.box{label})']],
    ['page', 'populate[zone][on][kit.box]=true&populate[zone][count]=true', ['zone(kit.box{label})']],
    ['page', 'populate[zone][count]=true&populate[zone][populate]=*', [ZONE]],
    ['page', 'populate[any]=true', [`any[](${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`]],
    ['page', 'populate[any]=1', []],
    ['page', 'populate[any]=*', []],
    ['page', 'populate[any][fields]=id', []],
    [
      'page',
      'populate[any][count]=true',
      [`any[] count(${COUNTED}; page{title, slug} count; person{name} count; tag{name, weight} count)`],
    ],
    ['page', 'populate[any][count]=1', []],
    ['page', 'populate[any][count]=false', []],
    ['page', 'populate[any][populate]=*', []],
    [
      'page',
      'populate[any][count]=true&populate[any][populate]=*',
      [`any[] count(${COUNTED}; page{title, slug} count; person{name} count; tag{name, weight} count)`],
    ],
    [
      'page',
      'populate[any][limit]=1',
      [`any[] from 0 at most 1(${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`],
    ],
    ['page', 'populate[any][start]=1', [`any[] from 1(${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`]],
    [
      'page',
      'populate[any][withCount]=true',
      [`any[] with count(${OTHERS}; page{title, slug}; person{name}; tag{name, weight})`],
    ],
    ['page', 'populate[any][withCount]=false', []],
    [
      'page',
      'populate[any][limit]=1&populate[any][populate]=*',
      [
        `any[] from 0 at most 1(file{file} > (related(page{title, slug} of 2 drafts; person{name} of 1 drafts)); user{username, email, provider, confirmed, blocked} > (role{name, description, type}); page{title, slug} > (author{name}; tags[]{name, weight}; picture{file}; pictures[]{file}; box{label}; boxes[]{label}; zone(kit.box{label}; kit.quote{text}); any[](${OTHERS}; page{title, slug}; person{name}; tag{name, weight}); one(${OTHERS}; page{title, slug}; person{name}; tag{name, weight}); localizations[]{title, slug}); person{name} > (avatar{file}; box{label}; friend{name}; pages[]{title, slug}); tag{name, weight})`,
      ],
    ],
    [
      'page',
      'populate[one][count]=true',
      [`one count(${COUNTED}; page{title, slug} count; person{name} count; tag{name, weight} count)`],
    ],
    ['page', 'populate[any][on]=', []],
    ['page', 'populate[any][on][api::tag.tag]=true', ['any[](tag{name, weight})']],
    [
      'page',
      'populate[any][on][api::tag.tag]=true&populate[any][count]=true',
      ['any[] count(tag{name, weight} count)'],
    ],
    [
      'page',
      'populate[any][on][api::tag.tag]=true&populate[any][limit]=1',
      ['any[] from 0 at most 1(tag{name, weight})'],
    ],
    ['page', 'populate[any][on][api::tag.tag]=*', ['any[](tag{name, weight})']],
    ['page', 'populate[any][on][api::tag.tag][fields]=name', ['any[](tag{name})']],
    ['page', 'populate[any][on][api::tag.tag][filters][name]=a', ['any[](tag{name, weight} where name $eq "a")']],
    ['page', 'populate[any][on][api::person.person][populate]=avatar', ['any[](person{name} > (avatar{file}))']],
    ['page', 'populate[any][on][kit.box]=true', ['any[]()']],
    [
      'page',
      'populate[box][populate][inner][populate][any][on][api::tag.tag]=true',
      ['box{label} > (inner{mark} > (any[](tag{name, weight})))'],
    ],
    ['file', 'populate=related', ['related(page{title, slug} of 2 drafts; person{name} of 1 drafts)']],
    ['file', 'populate=*', ['related(page{title, slug} of 2 drafts; person{name} of 1 drafts)']],
    ['file', 'populate[related]=true', ['related(page{title, slug} of 2 drafts; person{name} of 1 drafts)']],
    ['file', 'populate[related]=*', []],
    ['file', 'populate[related]=x', []],
    ['file', 'populate[related][fields]=x', []],
    ['file', 'populate[related][populate]=*', []],
    ['file', 'populate[related][count]=false', []],
    ['file', 'populate[related][on]=x', []],
    ['user', 'populate[role]=*', ['role{name, description, type}']],
    [
      'person',
      'populate=pages.box.tag,friend',
      ['pages[]{title, slug} > (box{label} > (tag{name, weight}))', 'friend{name}'],
    ],
    [
      'person',
      'populate=*&publicationFilter=modified',
      ['avatar{file}', 'box{label}', 'friend{name}', 'pages[]{title, slug} where other-version'],
    ],
    ['person', 'populate=pages&publicationFilter=modified', ['pages[]{title, slug} where other-version']],
    ['person', 'populate=pages&publicationFilter=modified&status=draft', ['pages[]{title, slug} where other-version']],
    [
      'person',
      'populate=box.page&publicationFilter=modified',
      ['box{label} > (page{title, slug} where other-version)'],
    ],
    ['page', 'populate=localizations&publicationFilter=modified', ['localizations[]{title, slug} where other-version']],
  ])('of %s?%s reads %j', (name, search, nodes) => {
    expect(populatedOf(uidOf(name), search)).toEqual(nodes);
  });

  it.each<[string, string, readonly string[], string]>([
    [
      'page',
      'populate=*',
      [
        'author{name}',
        'picture{file}',
        'pictures[]{file}',
        'box{label}',
        'boxes[]{label}',
        'zone(kit.box{label}; kit.quote{text})',
        'any[](page{title, slug}; person{name})',
        'one(page{title, slug}; person{name})',
        'localizations[]{title, slug}',
      ],
      'tag',
    ],
    ['page', 'populate[any][on][api::tag.tag]=*', [], 'tag'],
    ['page', 'populate[any][on][api::tag.tag]=true', [], 'tag'],
    ['page', 'populate[any][on][api::tag.tag][fields]=name', [], 'tag'],
    [
      'page',
      'populate[any][on][api::tag.tag]=true&populate[any][on][api::person.person]=true',
      ['any[](person{name})'],
      'tag',
    ],
    ['page', 'populate[any][on][kit.box]=true', ['any[]()'], 'tag'],
    ['page', 'populate[zone][on][kit.box][fields]=label', ['zone(kit.box{label})'], 'tag'],
    ['file', 'populate=related', ['related(page{title, slug} of 2 drafts; person{name} of 1)'], 'tag'],
    ['page', 'populate[author][fields]=name', [], 'person'],
    ['page', 'populate[author]=true', [], 'person'],
    ['file', 'populate=related', ['related(person{name} of 1)'], 'page'],
    ['person', 'populate=pages,friend', ['friend{name}'], 'page'],
    ['person', 'populate=pages.box.tag,friend', ['friend{name}'], 'page'],
    ['person', 'populate[]=pages.box&populate[]=friend', ['friend{name}'], 'page'],
    ['page', 'populate[any][on][api::person.person]=*', [], 'person'],
    ['page', 'populate[any][on][api::tag.tag]=true&populate[any][fields]=x', [], 'tag'],
  ])('of %s?%s reads %j for a caller who may not list the type %s', (name, search, nodes, hidden) => {
    expect(populatedOf(uidOf(name), search, { grants: without(hidden) })).toEqual(nodes);
  });

  it('of what uses a file shows the rows that the caller may find', () => {
    const rule: Rule = { key: 'own', caller: { user: undefined, now: 0 }, where: [{ title: 'own' }] };
    const grants: Grants = { ...EVERYTHING, rule: (id) => (id === 'api::page.page.find' ? rule : undefined) };
    expect(populatedOf(uidOf('file'), 'populate=related', { grants })).toEqual([
      'related(page{title, slug} of 2 drafts [or(title $eq "own")]; person{name} of 1 drafts)',
    ]);
  });

  it('has nothing to do with drafts behind types without them', () => {
    const search = 'populate=friend&publicationFilter=modified';
    expect(populatedOf(uidOf('person'), search, { grants: reader })).toEqual(['friend{name}']);
    expect(populatedOf(uidOf('person'), search, { grants: EVERYTHING })).toEqual(['friend{name}']);
  });

  it('shows no part of links to any type without api.rest.extensions', () => {
    const settings = parseSettings({ api: { rest: { extensions: false } } });
    expect(populatedOf(uidOf('page'), 'populate[any][limit]=1', { settings })).toEqual([]);
  });
});
