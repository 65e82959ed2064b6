/**
 * @module `/` leads to the first page in the reader's language.
 */
import { preferredLocale } from '../lib/texts';

export function GET(request: Request): Response {
  const locale = preferredLocale(request.headers.get('accept-language') ?? '');
  return new Response(null, { status: 307, headers: { location: `/${locale}`, vary: 'accept-language' } });
}
