import type { APIRoute } from 'astro';
import { DEFAULT_LOCALE } from '../../lib/locales';

/** Where a link of Studio leads to: keeps its token in a cookie that the previews alone get, and shows the page. */
export const GET: APIRoute = ({ url, cookies, redirect }) => {
  const { token = '', slug = '', locale = '', status = 'draft' } = Object.fromEntries(url.searchParams);
  const isSecure = url.protocol === 'https:';
  // In a frame of Studio, a page of another site gets such cookies alone.
  const sameSite = isSecure ? 'none' : 'lax';
  cookies.set('preview', token, { httpOnly: true, secure: isSecure, sameSite, path: '/preview', maxAge: 3600 });
  const query = status === 'published' ? '?status=published' : '';
  return redirect(`/preview/${encodeURIComponent(locale || DEFAULT_LOCALE)}/${encodeURIComponent(slug)}${query}`);
};
