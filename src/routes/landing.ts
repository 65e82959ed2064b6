/**
 * @module The page at `/`: what runs here and where its documentation is.
 */
import { html } from 'hono/html';
import type { ContentType } from '../registry/model.ts';
import type { Deployment } from './content.ts';

const DOCS = 'https://docs.strapi.io/cms/api/rest';

const path = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

/** Names the content types of this deployment; it shows no content and needs no credential. */
export function landingPage({ registry }: Deployment) {
  const types = [...registry.routes.values()].map(
    (type) => html`<li><a href="${path(type)}"><code>${path(type)}</code></a> ${type.displayName}</li>`,
  );
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Edgewise</title>
    <style>
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1d2733; }
      h1 { font-size: 1.6rem; margin-bottom: 0; }
      code { background: #eef1f5; border-radius: 4px; padding: 0.1rem 0.35rem; }
      a { color: #1554c0; }
      @media (prefers-color-scheme: dark) { body { background: #12161c; color: #dfe6ee; } code { background: #222a35; } a { color: #8ab4ff; } }
    </style>
  </head>
  <body>
    <h1>Edgewise</h1>
    <p>A Content API that speaks Strapi 5's REST, served from Cloudflare's edge.</p>
    <p>Content types of this deployment:</p>
    <ul>${types}</ul>
    <p>
      Send <code>Authorization: Bearer &lt;API token&gt;</code> with requests that the public may not make. How to filter,
      sort and write is in <a href="${DOCS}">the REST API's documentation</a>.
    </p>
  </body>
</html>`;
}
