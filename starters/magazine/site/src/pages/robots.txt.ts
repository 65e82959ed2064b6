import type { APIRoute } from 'astro';

export const GET: APIRoute = ({ url }) =>
  new Response(`User-agent: *\nDisallow: /preview\nSitemap: ${url.origin}/sitemap.xml\n`);
