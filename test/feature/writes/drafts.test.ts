/**
 * @module Drafts and publication: every verb with and without `status`.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, clientOf, documentOf, errorOf, totalOf, valuesOf } from '../../support/client.ts';
import { sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
let number = 0;

beforeEach(() => {
  number += 1;
});

const create = (status = '', data: object = {}): Promise<ApiDocument> =>
  documentOf(client.create(`/api/issues${status}`, { title: `Issue ${number}`, number, ...data }));
const published = ({ documentId }: ApiDocument) => client.get(`/api/issues/${documentId}`);
const draft = ({ documentId }: ApiDocument) => client.get(`/api/issues/${documentId}?status=draft`);

describe('POST', () => {
  it('publishes, and keeps the draft beside it under another row number', async () => {
    const created = await create();
    expect(created.publishedAt).toMatch(/Z$/);
    const live = await documentOf(published(created));
    const kept = await documentOf(draft(created));
    expect(live).toMatchObject({ documentId: created.documentId, publishedAt: created.publishedAt });
    expect(kept).toMatchObject({ documentId: created.documentId, publishedAt: null, title: live.title });
    expect(kept.id).not.toBe(live.id);
  });

  it.each(['?status=draft', '?status='])('with %s writes the draft alone', async (status) => {
    const created = await create(status);
    expect(created.publishedAt).toBeNull();
    expect((await published(created)).status).toBe(404);
    expect(await documentOf(draft(created))).toMatchObject({ title: created.title });
  });

  it('with status=published is one without', async () => {
    expect((await published(await create('?status=published'))).status).toBe(200);
  });

  it('takes a draft that could not be published', async () => {
    const created = await documentOf(client.create('/api/issues?status=draft', {}));
    expect(created).toMatchObject({ title: null, number: null });
  });
});

describe.each([
  ['all types', 'draft'],
  ['this type', { 'api::issue.issue': 'draft' }],
] as const)('api.rest.defaultStatus of %s', (_, defaultStatus) => {
  const send = serve({ api: { rest: { defaultStatus } } });
  const own = clientOf(send, 'full');

  it('makes a write without status one of the draft', async () => {
    const made = await documentOf(own.create('/api/issues', { title: 'Unfinished' }));
    expect(made).toMatchObject({ title: 'Unfinished', publishedAt: null });
    expect((await published(made)).status).toBe(404);
    const live = await create();
    await documentOf(own.update(`/api/issues/${live.documentId}`, { title: 'Draft' }));
    expect(await documentOf(published(live))).toMatchObject({ title: live.title });
    expect(await documentOf(draft(live))).toMatchObject({ title: 'Draft' });
  });

  it('is that of the requests of a batch', async () => {
    const requests = ['', '?status=draft', '?status=published'].map((status, index) => ({
      method: 'POST',
      path: `/api/issues${status}`,
      body: { data: { title: `In a batch ${index}`, number } },
    }));
    const response = await send('/api/batch', sendJson('POST', 'full', { requests }));
    const { data } = (await response.json()) as { data: { body: { data: ApiDocument } }[] };
    expect(data.map(({ body }) => body.data.publishedAt === null)).toEqual([true, true, false]);
  });

  it('publishes with status=published, and reads what is published', async () => {
    const live = await documentOf(own.create('/api/issues?status=published', { title: 'Out', number }));
    expect(live.publishedAt).toMatch(/Z$/);
    await own.update(`/api/issues/${live.documentId}`, { title: 'Draft' });
    expect(await documentOf(own.get(`/api/issues/${live.documentId}`))).toMatchObject({ title: 'Out' });
  });

  it('does not concern types without drafts', async () => {
    expect((await documentOf(own.create('/api/tags', { name: `Tag ${number}` }))).publishedAt).toMatch(/Z$/);
  });

  it('is the default in the description', async () => {
    const { paths, components } = (await (await own.get('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { parameters: object[] }>>;
      components: { parameters: Record<string, { schema: { default: string } }> };
    };
    expect(paths['/api/issues']?.post?.parameters).toContainEqual({ $ref: '#/components/parameters/WrittenDraft' });
    expect(components.parameters.WrittenDraft?.schema.default).toBe('draft');
    expect(components.parameters.Status?.schema.default).toBe('published');
    const isOfAll = defaultStatus === 'draft';
    expect(components.parameters.WrittenStatus === undefined).toBe(isOfAll);
  });
});

describe('GET', () => {
  it('of a list shows published documents, or drafts, never both', async () => {
    const live = await create('', { title: 'Listed' });
    number += 1;
    const kept = await create('?status=draft', { title: 'Listed' });
    const search = `filters[title]=Listed&filters[documentId][$in]=${live.documentId}&filters[documentId][$in]=${kept.documentId}`;
    expect(await valuesOf(client.get(`/api/issues?${search}`), 'documentId')).toEqual([live.documentId]);
    const drafts = client.get(`/api/issues?${search}&status=draft`);
    expect(await valuesOf(drafts, 'documentId')).toEqual([live.documentId, kept.documentId]);
    expect(await totalOf(client.get(`/api/issues?${search}&status=draft`))).toBe(2);
  });

  it('finds the published values of a document whose draft has others', async () => {
    const document = await create('', { title: 'Old' });
    await client.update(`/api/issues/${document.documentId}?status=draft`, { title: 'New' });
    const one = (search: string) =>
      valuesOf(client.get(`/api/issues?filters[documentId]=${document.documentId}&${search}`), 'title');
    expect(await one('filters[title]=Old')).toEqual(['Old']);
    expect(await one('filters[title]=New')).toEqual([]);
    expect(await one('filters[title]=New&status=draft')).toEqual(['New']);
  });

  it('of a type without drafts takes no notice of the status', async () => {
    const tag = await documentOf(client.create('/api/tags?status=draft', { name: 'no drafts' }));
    expect(tag.publishedAt).not.toBeNull();
    expect((await client.get(`/api/tags/${tag.documentId}?status=draft`)).status).toBe(200);
  });
});

describe('PUT', () => {
  it('with status=draft leaves the published version as it is', async () => {
    const document = await create('', { title: 'Published' });
    const updated = await documentOf(
      client.update(`/api/issues/${document.documentId}?status=draft`, { title: 'Draft' }),
    );
    expect(updated).toMatchObject({ title: 'Draft', publishedAt: null });
    expect(await documentOf(published(document))).toMatchObject({ title: 'Published' });
  });

  it('publishes the whole draft, also what was changed before', async () => {
    const document = await create('', { title: 'One' });
    await client.update(`/api/issues/${document.documentId}?status=draft`, { title: 'Two' });
    const updated = await documentOf(
      client.update(`/api/issues/${document.documentId}`, { releaseDate: '2024-01-01' }),
    );
    expect(updated).toMatchObject({ title: 'Two', releaseDate: '2024-01-01' });
    expect(await documentOf(published(document))).toMatchObject({ title: 'Two', releaseDate: '2024-01-01' });
    expect(await documentOf(draft(document))).toMatchObject({ title: 'Two', publishedAt: null });
  });

  it('publishes a document that was only a draft', async () => {
    const document = await create('?status=draft');
    await client.update(`/api/issues/${document.documentId}`, {});
    expect((await published(document)).status).toBe(200);
  });

  it('does not unpublish, whatever publishedAt it is given', async () => {
    const document = await create();
    await client.update(`/api/issues/${document.documentId}`, { publishedAt: null });
    expect((await published(document)).status).toBe(200);
  });

  it('keeps when the document was created', async () => {
    const document = await create();
    const updated = await documentOf(client.update(`/api/issues/${document.documentId}`, { title: 'Later' }));
    expect(updated.createdAt).toBe(document.createdAt);
    expect((await documentOf(draft(document))).createdAt).toBe(document.createdAt);
  });
});

describe('DELETE', () => {
  it('with status=draft is refused and deletes nothing', async () => {
    const document = await create();
    const refused = client.remove(`/api/issues/${document.documentId}?status=draft`);
    expect(await errorOf(refused)).toMatchObject({ status: 400, details: { param: 'status' } });
    expect((await published(document)).status).toBe(200);
    expect((await draft(document)).status).toBe(200);
  });

  it.each(['', '?status=published'])('with %j removes draft and published version', async (status) => {
    const document = await create();
    expect((await client.remove(`/api/issues/${document.documentId}${status}`)).status).toBe(204);
    expect((await published(document)).status).toBe(404);
    expect((await draft(document)).status).toBe(404);
  });

  it('removes a document that is only a draft', async () => {
    const document = await create('?status=draft');
    await client.remove(`/api/issues/${document.documentId}`);
    expect((await draft(document)).status).toBe(404);
  });
});

describe('publicationFilter', () => {
  it('tells documents apart by the state they are in', async () => {
    const title = 'Filtered';
    const unmodified = await create('', { title });
    number += 1;
    const never = await create('?status=draft', { title });
    number += 1;
    const modified = await create('', { title });
    await client.update(`/api/issues/${modified.documentId}?status=draft`, { releaseDate: '2024-01-01' });
    const found = async (filter: string, status: string) =>
      valuesOf(client.get(`/api/issues?filters[title]=${title}&${filter}&status=${status}`), 'documentId');
    expect(await found('publicationFilter=never-published', 'draft')).toEqual([never.documentId]);
    expect(await found('hasPublishedVersion=false', 'draft')).toEqual([never.documentId]);
    expect(await found('publicationFilter=modified', 'published')).toEqual([modified.documentId]);
    expect(await found('publicationFilter=modified', 'draft')).toEqual([modified.documentId]);
    expect(await found('publicationFilter=unmodified', 'published')).toEqual([unmodified.documentId]);
    expect(await found('publicationFilter=never-published', 'published')).toEqual([]);
    expect(await found('hasPublishedVersion=true', 'draft')).toEqual([unmodified.documentId, modified.documentId]);
  });
});
