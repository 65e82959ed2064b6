import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';
import { strapiLoader } from 'strapi-community-astro-loader';

const clientConfig = { baseURL: `${process.env.EDGEWISE_URL}/api`, auth: process.env.EDGEWISE_TOKEN };
const picture = z.object({ url: z.string(), alternativeText: z.string().nullable() }).nullable();

const articles = defineCollection({
  loader: strapiLoader({
    contentType: 'article',
    clientConfig,
    pageSize: 2,
    params: {
      sort: 'title',
      populate: {
        cover: { fields: ['url', 'alternativeText'] },
        author: { populate: { avatar: { fields: ['url', 'alternativeText'] } } },
        sections: { populate: '*' },
      },
    },
  }),
  schema: z.object({
    title: z.string(),
    slug: z.string(),
    cover: picture,
    author: z.object({ name: z.string(), avatar: picture }).nullable(),
    sections: z.array(z.any()),
  }),
});
const categories = defineCollection({
  loader: strapiLoader({
    contentType: 'category',
    pluralContentType: 'categories',
    clientConfig,
    params: { locale: 'fr' },
  }),
  schema: z.object({ name: z.string(), slug: z.string(), locale: z.string() }),
});
export const collections = { articles, categories };
