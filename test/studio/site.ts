/**
 * @module A site as Strapi documents it for Next.js (https://docs.strapi.io/cms/features/preview), without Next.js: a route
 * that keeps the token, a page that is rendered on the server with source maps, and a listener in the browser. And a page that
 * sends and does what it should not. It also takes the messages that the server sends, at `/mail`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Runs in the page. @param studio the origin of Strapi, or of Studio in place of it */
function listen(studio: string): void {
  const refresh = async () => {
    const text = await (await fetch(location.href)).text();
    const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
    document.querySelector('main')?.replaceWith(next ?? '');
  };
  window.addEventListener('message', ({ origin, data }) => {
    if (origin !== studio) return;
    if (data.type === 'strapiUpdate') refresh();
    if (data.type === 'strapiScript') {
      const script = document.createElement('script');
      script.textContent = data.payload.script;
      document.head.appendChild(script);
    }
  });
  window.parent.postMessage({ type: 'previewReady' }, '*');
}

/** Runs in the hostile page: keeps what it gets in `received`, and sends what a test gives to `attack`. */
function attack(): void {
  const received: unknown[] = [];
  window.addEventListener('message', ({ data }) => received.push(data));
  Object.assign(window, { received, attack: (data: unknown) => window.parent.postMessage(data, '*') });
  window.parent.postMessage({ type: 'previewReady' }, '*');
}

/** Runs in frames of the hostile page: one of its origin, and one of another. */
const fromInside = (source: string): void =>
  window.top?.postMessage({ type: 'strapiFieldFocusIntent', payload: { path: source } }, '*');

const escaped = (text: unknown): string =>
  String(text ?? '').replaceAll(/[&<"]/g, (each) => `&#${each.charCodeAt(0)};`);

// biome-ignore lint/suspicious/noExplicitAny: a page reads answers without types.
type Json = any;

async function articlePage(api: string, id: string, cookie: string): Promise<string> {
  const token = /preview=([^;]*)/.exec(cookie)?.[1];
  const query = `filters[documentId]=${id}&status=${token ? 'draft' : 'published'}&populate[0]=seo&populate[1]=facts&populate[2]=sections&populate[3]=cover`;
  const response = await fetch(`${api}/api/articles?${query}`, {
    headers: {
      'strapi-encode-source-maps': token ? 'true' : 'false',
      ...(token && { authorization: `Bearer ${token}` }),
    },
  });
  const [article]: Json[] = ((await response.json()) as Json).data ?? [];
  if (!article) return '<main>Not found</main>';
  const facts = (article.facts ?? []).map(({ label }: Json) => `<li>${escaped(label)}</li>`);
  const quotes = (article.sections ?? []).map(({ text }: Json) => `<blockquote>${escaped(text)}</blockquote>`);
  return `<main data-version="${article.updatedAt.slice(0, 24)}">
    <h1>${escaped(article.title)}</h1>
    <p class="summary">About: ${escaped(article.summary)}</p>
    <p class="seo">${escaped(article.seo?.metaTitle)}</p>
    <ul>${facts.join('')}</ul>
    ${quotes.join('')}
    <p class="content">${escaped(article.content?.[0]?.children[0]?.text)}</p>
    ${article.cover ? `<img src="${api}${escaped(article.cover.url)}"><p>${escaped(article.cover.caption)}</p>` : ''}
    <a href="#elsewhere">Elsewhere</a>
  </main>`;
}

export interface Site {
  readonly origin: string;
  /** Says where the API is. */
  connect(api: string): void;
  stop(): void;
}

export async function startSite(): Promise<Site> {
  let api = '';
  let origin = '';
  /** Of the page that knows nothing of previews. */
  let loads = 0;
  const messages: string[] = [];
  const script = (run: (argument: string) => void, argument = '') =>
    `<script>(${run})(${JSON.stringify(argument)})</script>`;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://site');
    const html = (body: string) => response.setHeader('content-type', 'text/html; charset=utf-8').end(body);
    const parameter = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/mail') {
      if (request.method === 'POST') messages.push(await text(request));
      response.end(JSON.stringify(messages));
    } else if (pathname === '/preview') {
      const cookie = parameter('status') === 'draft' ? parameter('token') : '; Max-Age=0';
      response.setHeader('set-cookie', `preview=${cookie}; HttpOnly; Path=/`);
      response.writeHead(307, { location: `/articles/${parameter('id')}` }).end();
    } else if (pathname.startsWith('/articles/')) {
      html(`${await articlePage(api, pathname.slice(10), headers.cookie ?? '')}${script(listen, api)}`);
    } else if (pathname === '/hostile') {
      const inside = `/inside?source=${encodeURIComponent(parameter('source'))}`;
      const frames = [origin, origin.replace('127.0.0.1', 'localhost')].map(
        (each) => `<iframe src="${each}${inside}"></iframe>`,
      );
      html(`<button>Hostile</button>${frames.join('')}${script(attack)}`);
    } else if (pathname === '/plain') {
      loads += 1;
      html(`<h1>Loaded ${loads}</h1>`);
    } else html(script(fromInside, parameter('source')));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    connect: (url) => {
      api = url;
    },
    stop: () => server.close(),
  };
}
