/**
 * @module The tests of one content type: a document is created, read, found, populated, changed, published and deleted.
 */
import { describe, expect, it } from 'vitest';
import { pathOfType } from '../src/http/endpoint.ts';
import { isHidden, isRelation, isScalar } from '../src/schema/attribute-kinds.ts';
import type { ContentType } from '../src/schema/model.ts';
import type { ApiDocument } from './client.ts';
import type { Data } from './documents.ts';
import { gapOf, gapOfType, inputsOf, type TestModel } from './gaps.ts';
import { isFilterable, leakedIn, type Running, shownOf } from './shown.ts';

/** Also where writes are drafts by default. */
const PUBLISHED = 'status=published';

const idsIn = (value: unknown): readonly unknown[] =>
  [value].flat().map((item) => (item as { readonly documentId?: unknown } | null)?.documentId);

/**
 * Registers the tests. A type of which nothing can be created is a skipped test, whose name says why.
 * @param running is called when the tests run.
 */
export function testType(type: ContentType, model: TestModel, running: () => Running): void {
  const { kind, draftAndPublish, uid } = type;
  const isSingle = kind === 'singleType';
  const inputs = inputsOf(type.attributes);
  const otherLocale = model.settings.i18n.locales.find(({ isDefault }) => !isDefault)?.code;
  const gap = gapOfType(type, model);
  if (gap !== undefined) {
    it.skip(`${uid} is not tested, for no document can be made: ${gap}`);
    return;
  }

  describe(uid, () => {
    let created: ApiDocument | undefined;
    let body: Data = {};

    const path = (query = '', of = created): string => {
      if (!of) throw new Error('nothing was created; see the first test of this type');
      return `${pathOfType(type)}${isSingle ? '' : `/${of.documentId}`}${query && `?${query}`}`;
    };
    /** How many documents a list has that are the created one. */
    const listed = async (query: string): Promise<number> => {
      const own = `filters[documentId][$eq]=${created?.documentId}`;
      return (await running().data<readonly ApiDocument[]>('GET', `${pathOfType(type)}?${own}&${query}`)).length;
    };
    const read = (query = '') => running().data<ApiDocument>('GET', path(query));
    const write = (data: Data, query = PUBLISHED) => running().data<ApiDocument>('PUT', path(query), data);
    const create = (data: Data, query = PUBLISHED) =>
      running().data<ApiDocument>(isSingle ? 'PUT' : 'POST', `${pathOfType(type)}?${query}`, data);
    const statusOf = async (query = ''): Promise<number> => (await running().fetch(path(query))).status;

    it('creates a document', async () => {
      body = await running().bodyOf(uid);
      created = await create(body);
      expect(created.documentId).toMatch(/\w/);
    });

    for (const attribute of inputs) {
      const reason = gapOf(attribute, model);
      if (reason !== undefined) it.skip(`${attribute.name} is left out: ${reason}`);
    }

    it('shows it with the values that were sent, and nothing that is private', async () => {
      const document = await read();
      expect(document).toMatchObject(shownOf(body, inputs));
      expect(leakedIn(document, inputs)).toEqual([]);
    });

    if (!isSingle)
      it('lists it, and finds it by each attribute that filters can name', async () => {
        expect(await listed('')).toBe(1);
        for (const { name } of inputs.filter(isFilterable).filter((item) => Object.hasOwn(body, item.name))) {
          const value = encodeURIComponent(String(body[name]));
          expect(await listed(`filters[${name}][$eq]=${value}`), `filters[${name}][$eq]=${value}`).toBe(1);
          expect(await listed(`filters[${name}][$ne]=${value}`), `filters[${name}][$ne]=${value}`).toBe(0);
        }
      });

    if (!isSingle)
      it('sorts by each attribute', async () => {
        for (const { name } of inputs.filter(isFilterable)) expect(await listed(`sort=${name}:desc`), name).toBe(1);
      });

    it('populates what it is linked to', async () => {
      const document = await read('populate=*');
      for (const attribute of inputs.filter((item) => !isScalar(item) && !isHidden(item))) {
        const { name } = attribute;
        if (!Object.hasOwn(body, name)) continue;
        const values = [document[name]].flat();
        expect(values, name).toHaveLength([body[name]].flat().length);
        expect(values, name).not.toContain(null);
        if (isRelation(attribute) && typeof [body[name]].flat()[0] === 'string')
          expect(idsIn(document[name]), name).toEqual([body[name]].flat());
      }
    });

    it('changes it', async () => {
      const changes = await running().bodyOf(uid, 'values');
      await write(changes);
      expect(await read()).toMatchObject(shownOf(changes, inputs));
    });

    if (draftAndPublish)
      it('keeps a change in the draft until it is published', async () => {
        const before = await read();
        const changes = await running().bodyOf(uid, 'values');
        await write(changes, 'status=draft');
        expect(await read('status=draft')).toMatchObject({ ...shownOf(changes, inputs), publishedAt: null });
        expect(await read()).toMatchObject({ publishedAt: before.publishedAt });
        await write({});
        expect(await read()).toMatchObject(shownOf(changes, inputs));
      });

    if (draftAndPublish && !isSingle)
      it('shows a new draft to those alone who ask for drafts', async () => {
        const draft = await create(await running().bodyOf(uid, 'values'), 'status=draft');
        const statusOfDraft = async (query: string) => (await running().fetch(path(query, draft))).status;
        expect([await statusOfDraft('status=draft'), await statusOfDraft('')]).toEqual([200, 404]);
        await running().json('DELETE', path('', draft));
      });

    if (type.localized && otherLocale !== undefined)
      it('has another locale', async () => {
        const translated = await running().bodyOf(uid, 'values');
        await write(translated, `${PUBLISHED}&locale=${otherLocale}`);
        expect(await read(`locale=${otherLocale}`)).toMatchObject({
          ...shownOf(translated, inputs),
          locale: otherLocale,
        });
        await running().json('DELETE', path(`locale=${otherLocale}`));
        expect([await statusOf(`locale=${otherLocale}`), await statusOf()]).toEqual([404, 200]);
      });

    it('deletes it, and then it is gone', async () => {
      await running().json('DELETE', path());
      expect(await statusOf()).toBe(404);
      if (!isSingle) expect(await listed('')).toBe(0);
      if (draftAndPublish) expect(await statusOf('status=draft')).toBe(404);
    });
  });
}
