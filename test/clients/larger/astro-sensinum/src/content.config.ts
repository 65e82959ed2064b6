import { generateCollections } from '@sensinum/astro-strapi-loader';

export const collections = await generateCollections(
  { url: process.env.EDGEWISE_URL, token: process.env.EDGEWISE_TOKEN, strict: process.env.STRICT === '1' },
  [
    {
      name: 'articles',
      query: {
        populate: { author: true, categories: true, cover: true, seo: true, sections: { populate: '*' } },
        sort: ['title:asc'],
        pagination: { pageSize: 100 },
      },
    },
    { name: 'authors', query: { populate: { avatar: true, links: true } } },
    { name: 'categories', query: { locale: 'fr' } },
    { name: 'homepage', query: { populate: '*' } },
  ],
);
