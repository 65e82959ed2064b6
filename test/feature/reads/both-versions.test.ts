/**
 * @module Filters from a type without drafts through one with them: which versions count depends on who asks.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, valuesOf } from '../../support/client.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const FOUND = ['api::comment.comment.find', 'api::article.article.find', 'api::issue.issue.find'];
const { client: owner } = openMagazine();
const stranger = serve({ roles: { public: FOUND } });
/** May read drafts of articles, and not those of issues. */
const editor = serve({ roles: { public: [...FOUND, 'api::article.article.readDrafts'] } });

const id = async (answer: Promise<Response>) => String((await documentOf(answer)).documentId);
const texts = (send: typeof stranger, query: string) => valuesOf(send(`/api/comments?sort=text&${query}`), 'text');

beforeAll(async () => {
  const draft = await id(owner.create('/api/articles?status=draft', { title: 'Hidden' }));
  const changed = await id(owner.create('/api/articles', { title: 'Before' }));
  await owner.update(`/api/articles/${changed}?status=draft`, { title: 'After' });
  await owner.create('/api/comments', { text: 'changed', article: changed });
  await owner.create('/api/comments', { text: 'hidden', article: draft });
  await owner.create('/api/comments', { text: 'none' });
  const issue = await id(owner.create('/api/issues', { title: 'Out', number: 1, coverStory: changed }));
  await owner.update(`/api/issues/${issue}?status=draft`, { title: 'Planned' });
});

describe('a filter through a type with drafts', () => {
  it.each([
    ['filters[article][title]=Hidden', [], ['hidden']],
    ['filters[article][title]=After', [], ['changed']],
    ['filters[article][title]=Before', ['changed'], ['changed']],
    ['filters[article][title][$null]=true', ['hidden', 'none'], ['none']],
    ['filters[article][$null]=true', ['hidden', 'none'], ['none']],
    ['filters[$not][article][title][$null]=true', ['changed'], ['changed', 'hidden']],
    ['filters[article][publishedAt][$null]=true', ['hidden', 'none'], ['changed', 'hidden', 'none']],
  ])('%s meets published documents, and drafts too where the caller may read them', async (query, without, within) => {
    expect(await texts(stranger, query)).toEqual(without);
    expect(await texts(editor, query)).toEqual(within);
  });

  it('goes on from drafts to those alone that the caller may read', async () => {
    const query = (title: string) => `filters[article][coverOf][title]=${title}`;
    expect(await texts(editor, query('Planned'))).toEqual([]);
    expect(await texts(editor, query('Out'))).toEqual(['changed']);
    expect(await valuesOf(owner.get(`/api/comments?${query('Planned')}`), 'text')).toEqual(['changed']);
  });

  it('follows what each version links to', async () => {
    const query = (author: string) => `/api/comments?filters[article][author][name]=${author}`;
    const [old, young] = [
      await id(owner.create('/api/authors', { name: 'Old' })),
      await id(owner.create('/api/authors', { name: 'Young' })),
    ];
    const article = await id(owner.create('/api/articles', { title: 'By old', author: old }));
    await owner.update(`/api/articles/${article}?status=draft`, { title: 'By young', author: young });
    await owner.create('/api/comments', { text: 'both', article });
    expect(await valuesOf(owner.get(query('Old')), 'text')).toEqual(['both']);
    expect(await valuesOf(owner.get(query('Young')), 'text')).toEqual(['both']);
    const together = (title: string) =>
      owner.get(`/api/comments?filters[article][$and][0][title]=${title}&filters[article][$and][1][author][name]=Old`);
    expect(await valuesOf(together('By old'), 'text')).toEqual(['both']);
    expect(await valuesOf(together('By young'), 'text')).toEqual([]);
  });
});
