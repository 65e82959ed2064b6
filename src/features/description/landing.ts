/**
 * @module The page at `/`: the public content types, examples of queries, and links to the documentation.
 */
import { html } from 'hono/html';
import { actionId, roleGrants } from '../../access/grants.ts';
import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { pathOfType } from '../../http/endpoint.ts';
import type { ContentType } from '../../schema/model.ts';
import { DESCRIPTION_PATH } from './routes.ts';

function listed(types: readonly ContentType[]) {
  if (types.length === 0) return html`<p>Nothing is open to the public here: every request needs a token.</p>`;
  const items = types.map(
    (type) => html`<li><a href="${pathOfType(type)}"><code>${pathOfType(type)}</code></a> ${type.displayName}</li>`,
  );
  return html`<p>Open to everybody:</p>
    <ul>${items}</ul>`;
}

function examples(path: string) {
  const queries = ['sort=updatedAt:desc', 'pagination[pageSize]=10', 'populate=*', 'filters[documentId][$in][0]=…'];
  return html`<h2 id="documentation">How to ask</h2>
    <ul>${queries.map((query) => html`<li><code>${path}?${query}</code></li>`)}</ul>
    <p>
      Send <code>Authorization: Bearer &lt;API token&gt;</code> with requests that the public may not make. A rejection
      says in <code>error.message</code> and <code>error.details</code> what is wrong.
    </p>`;
}

function links({ settings }: Deployment) {
  const description = html`<li><a href="${DESCRIPTION_PATH}"><code>${DESCRIPTION_PATH}</code></a>: every operation that
    you may do, for tools and generated clients</li>`;
  const studio = html`<li><a href="/studio/">Studio</a>: see, query and write content in the browser</li>`;
  return html`<ul>
      ${settings.studio ? studio : ''}
      ${settings.server.openapi ? description : ''}
      <li><code>node_modules/edgewise/docs/README.md</code> in the project of this server: reading, writing, files, users, errors, and where
        Edgewise differs from Strapi</li>
      <li><a href="https://docs.strapi.io/cms/api/rest">Strapi's documentation of the REST API</a>, which Edgewise speaks</li>
    </ul>`;
}

/** Lists the content types that the public may find; it has no content and needs no credential. */
export function landingPage(deployment: Deployment) {
  const { registry, settings } = deployment;
  const { allows } = roleGrants(settings, 'public');
  const types = [...registry.routes.values()].filter(({ uid }) => allows(actionId(uid, 'find')));
  const list = types.find(({ kind }) => kind === 'collectionType');
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Edgewise</title>
    <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
    <style>
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1d2733; }
      h1 { font-size: 1.6rem; margin-bottom: 0; }
      h2 { font-size: 1.2rem; }
      code { background: #eef1f5; border-radius: 4px; padding: 0.1rem 0.35rem; }
      a { color: #1554c0; }
      @media (prefers-color-scheme: dark) { body { background: #12161c; color: #dfe6ee; } code { background: #222a35; } a { color: #8ab4ff; } }
    </style>
  </head>
  <body>
    <h1>Edgewise</h1>
    <p>A Content API that speaks Strapi 5's REST, served from Cloudflare's edge.</p>
    ${listed(types)}
    ${examples(list ? pathOfType(list) : '/api/…')}
    <h2>Where it is described</h2>
    ${links(deployment)}
  </body>
</html>`;
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1554c0"/>' +
  '<path d="M11 4H5v8h6M5 8h5" stroke="#fff" stroke-width="2" fill="none"/></svg>';

export const favicon = (context: AppContext): Response =>
  context.body(ICON, 200, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' });
