/**
 * @module What the product is measured against: a Worker for this one content model, written by hand. It runs the SQL
 * that the product runs, in one batch per request, and knows every column by name, and that no type here has locales.
 */
import { createArticle, updateArticle } from './article-writes.ts';
import { createDossier, updateDossier } from './dossier-writes.ts';
import { listWithFacets } from './facets.ts';
import {
  getArticle,
  getBySlug,
  listArticles,
  listByAuthor,
  listBySlug,
  listByTag,
  listDeep,
  listPopulated,
  listRated,
} from './reads.ts';
import { searchArticles, searchStories, searchStoriesByWords } from './search.ts';
import { listByRating, walkByRating } from './sorted.ts';
import { listStories } from './stories.ts';
import { listTags } from './tags.ts';
import { type Handler, json, refusalOf, refuse, revalidated, sha256 } from './visit.ts';

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** A parameter that has to be there. */
  readonly parameter?: string;
  readonly answer: Handler;
}

/** One batch that asks nothing: what the platform costs. */
const floor: Handler = async ({ db }) => json((await db.batch([db.prepare('select 1 as "one"')]))[0]?.results);

// Paths match without regard to case, as the product's do.
const LIST = /^\/api\/articles$/i;
const ONE = /^\/api\/articles\/\w+$/i;
const BY_SLUG = /^\/api\/articles\/slug:[\w-]+$/i;

const ROUTES: readonly Route[] = [
  { method: 'GET', path: LIST, parameter: 'populate[seo][populate]', answer: listPopulated },
  { method: 'GET', path: LIST, parameter: 'populate[author][populate][publisher][populate]', answer: listDeep },
  { method: 'GET', path: LIST, parameter: 'facets', answer: listWithFacets },
  { method: 'GET', path: LIST, parameter: 'filters[rating][$gte]', answer: listRated },
  { method: 'GET', path: LIST, parameter: 'filters[slug][$eq]', answer: listBySlug },
  { method: 'GET', path: LIST, parameter: 'filters[author][name][$eq]', answer: listByAuthor },
  { method: 'GET', path: LIST, parameter: 'filters[tags][slug][$eq]', answer: listByTag },
  { method: 'GET', path: LIST, parameter: '_q', answer: searchArticles },
  { method: 'GET', path: /^\/api\/stories$/i, parameter: '_q', answer: searchStories },
  { method: 'GET', path: /^\/api\/stories$/i, parameter: 'search', answer: searchStoriesByWords },
  { method: 'GET', path: /^\/api\/stories$/i, answer: listStories },
  { method: 'GET', path: /^\/api\/tags$/i, answer: listTags },
  { method: 'GET', path: LIST, parameter: 'pagination[after]', answer: walkByRating },
  { method: 'GET', path: LIST, parameter: 'sort', answer: listByRating },
  { method: 'GET', path: LIST, answer: listArticles },
  { method: 'GET', path: ONE, answer: getArticle },
  { method: 'GET', path: BY_SLUG, answer: getBySlug },
  { method: 'POST', path: LIST, answer: createArticle },
  { method: 'PUT', path: ONE, answer: updateArticle },
  { method: 'POST', path: /^\/api\/dossiers$/, answer: createDossier },
  { method: 'PUT', path: /^\/api\/dossiers\/\w+$/, answer: updateDossier },
  { method: 'GET', path: /^\/floor$/, answer: floor },
];

function routeOf(method: string, { pathname, searchParams }: URL): Route | undefined {
  return ROUTES.find(
    (route) =>
      route.method === method &&
      route.path.test(pathname) &&
      (route.parameter === undefined || searchParams.has(route.parameter)),
  );
}

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const route = routeOf(request.method, url);
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '');
    if (!route || !token) return refuse(route ? 401 : 404, 'Not Found');
    try {
      return await revalidated(
        request,
        await route.answer({ db: env.DB, url, request, key: await sha256(token), context }),
      );
    } catch (error) {
      return refusalOf(error);
    }
  },
} satisfies ExportedHandler<Env>;
