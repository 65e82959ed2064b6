/**
 * @module Types of a project's code: `npm run check` is their test. Each wrong name is an error.
 */
import { createWorker, type Extensions, type ProjectFiles, type Settings } from '../../../src/worker.ts';

type Status = 'published' | 'draft';

interface Author {
  id: number;
  documentId: string;
  name: string;
}

interface Article<S extends Status = 'published'> {
  id: number;
  documentId: string;
  title: string | (S extends 'draft' ? null : never);
  slug: string;
  rating: number | null;
  readingMinutes: number | null;
  author?: Author | null;
  related?: Article<S>[];
  publishedAt: S extends 'draft' ? null : string;
}

interface ArticleInput {
  title: string;
  slug: string;
  body?: string | null;
  readingMinutes?: number | null;
}

interface Homepage {
  id: number;
  headline: string;
}

/** With less than `generate` writes. */
interface ContentTypes {
  articles: {
    uid: 'api::article.article';
    kind: 'collectionType';
    document: Article;
    draft: Article<'draft'>;
    facets: { title?: { value: string; count: number }[] };
    create: ArticleInput;
    update: Partial<ArticleInput>;
  };
  authors: {
    uid: 'api::author.author';
    kind: 'collectionType';
    document: Author;
    draft: Author;
    create: { name: string };
    update: { name?: string };
  };
  homepage: {
    uid: 'api::homepage.homepage';
    kind: 'singleType';
    document: Homepage;
    draft: Homepage;
    create: never;
    update: { headline?: string };
  };
}

declare const registry: ProjectFiles<ContentTypes>;
declare const settings: Settings;

const part: Extensions<ContentTypes> = { beforeWrite: { 'api::article.article': (data) => ({ ...data, title: 'x' }) } };

export const create = () => [createWorker(registry, settings), createWorker(registry, settings, part)];

export const right = () =>
  createWorker(registry, settings, {
    routes: (app) => {
      app.get('/api/articles/:slug/related', async (c) => {
        const { data } = await c.var.documents('api::article.article').find({
          filters: { slug: c.req.param('slug'), author: { name: { $eq: 'x' } }, $or: [{ rating: { $gt: 3 } }] },
          populate: { related: { fields: ['title'] } },
          sort: 'title:desc',
          fields: ['title'],
          pagination: { limit: 3 },
        });
        data[0]?.related?.map((r) => r.title);
        const d = await c.var.documents('api::article.article').find({ status: 'draft' });
        const n: null | undefined = d.data[0]?.publishedAt;
        const populate = { related: { limit: 3, withCount: true, populate: '@card' } } as const;
        const { meta } = await c.var
          .documents('api::article.article')
          .find({ facets: ['title'], search: 'x', fallback: true, populate });
        meta.facets?.title?.map(({ value }) => value);
        const h = await c.var.documents('api::homepage.homepage').find();
        h.data.headline;
        await c.var.documents('api::homepage.homepage').update({ data: { headline: 'x' } });
        await c.var.documents('api::author.author').create({ data: { name: 'x' } });
        return c.json({ data, n });
      });
    },
    beforeWrite: {
      'api::article.article': (data, { operation }) => ({
        ...data,
        readingMinutes: typeof data.body === 'string' && operation === 'create' ? 3 : 2,
      }),
      'api::author.author': async (data) => data,
    },
  });

export const wrongDocuments = () =>
  createWorker(registry, settings, {
    routes: (app) => {
      app.get('/x', async (c) => {
        // @ts-expect-error filters
        await c.var.documents('api::article.article').find({ filters: { slugg: 'x' } });
        // @ts-expect-error nested filters
        await c.var.documents('api::article.article').find({ filters: { author: { nam: { $eq: 'x' } } } });
        // @ts-expect-error fields
        await c.var.documents('api::article.article').find({ fields: ['titel'] });
        // @ts-expect-error sort
        await c.var.documents('api::article.article').find({ sort: 'titel:desc' });
        // @ts-expect-error populate
        await c.var.documents('api::article.article').find({ populate: ['autor'] });
        // @ts-expect-error populate
        await c.var.documents('api::article.article').find({ populate: { autor: true } });
        // @ts-expect-error facets
        await c.var.documents('api::article.article').find({ facets: ['slug'] });
        // @ts-expect-error a write has no fallback
        await c.var.documents('api::article.article').publish('x', { fallback: true });
        // @ts-expect-error data
        await c.var.documents('api::article.article').create({ data: { title: 'x', slugg: 'y' } });
        // @ts-expect-error data
        await c.var.documents('api::author.author').update('x', { data: { namee: 'x' } });
        // @ts-expect-error param
        await c.var.documents('api::author.author').find({ filter: {} });
        // @ts-expect-error uid
        await c.var.documents('api::autor.author').find({});
        const { data } = await c.var.documents('api::author.author').find();
        // @ts-expect-error answer
        data[0]?.namee;
        return c.text('');
      });
    },
  });

export const wrongRead = () =>
  createWorker(registry, settings, {
    beforeWrite: {
      // @ts-expect-error read
      'api::article.article': (data) => ({ ...data, readingMinutes: data.bodyy }),
    },
  });

export const wrongWrite = () =>
  createWorker(registry, settings, {
    beforeWrite: {
      // @ts-expect-error written
      'api::article.article': (data) => ({ ...data, readingMinuts: 3 }),
      'api::author.author': (data) => ({ ...data, name: 'x' }),
    },
  });

export const wrongAsync = () =>
  createWorker(registry, settings, {
    beforeWrite: {
      // @ts-expect-error written async
      'api::article.article': async (data) => ({ ...data, readingMinuts: 3 }),
    },
  });

export const wrongUid = () =>
  createWorker(registry, settings, {
    beforeWrite: {
      // @ts-expect-error unknown uid
      'api::articl.article': async (data) => data,
    },
  });
