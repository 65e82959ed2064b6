/**
 * @module What robots may read: everything but the routes of previews and webhooks.
 */
import type { MetadataRoute } from 'next';
import { SITE_URL } from '../lib/addresses';

export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', disallow: '/api/' }, sitemap: `${SITE_URL}/sitemap.xml` };
}
