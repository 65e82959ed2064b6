/**
 * @module An address outside of all languages.
 */
import './site.css';
import type { Metadata } from 'next';
import NotFound from './[locale]/not-found';

export const metadata: Metadata = { title: '404' };

export default function GlobalNotFound() {
  return (
    <html lang="en">
      <body>
        <main id="main" className="alone">
          <NotFound />
        </main>
      </body>
    </html>
  );
}
