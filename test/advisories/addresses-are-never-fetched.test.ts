import { beforeAll, expect, it, vi } from 'vitest';
import { ASKED, form, serving } from '../support/oauth-world.ts';
import { sendJson } from '../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded, uploadOne } from '../support/uploads.ts';

import { createWorld, owner, send, world } from './world.ts';

beforeAll(createWorld);

const textAt = async (path: string) => new TextDecoder().decode(await (await send(path)).arrayBuffer());

/**
 * CVE-2024-52588, GHSA-v8wj-f5c7-pvxf; CVE-2024-37818, GHSA-p9ff-j98v-p435; GHSA-gjcc-5c3q-6vj4; Directus
 * CVE-2024-46990, CVE-2024-39699, CVE-2026-35409, CVE-2026-61835; Payload CVE-2026-27567, CVE-2026-34746
 */
it('no other surface fetches an address of a request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  for (const url of [
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'https://evil.example/a.png',
  ]) {
    const texts = { title: 'Fetch', extra: { url }, body: `![](${url})`, links: [{ label: 'a', href: url }] };
    expect((await owner.create('/api/articles', texts)).status).toBe(200);
    await owner.create('/api/articles', { ...texts, cover: url });
    await owner.create('/api/articles', { ...texts, contactEmail: url });
    await owner.create('/api/articles', { ...texts, cover: { url } });
    for (const path of ['upload', 'upload/import', 'webhooks', 'connect/github', 'files/import'])
      await send(`/api/${path}?url=${encodeURIComponent(url)}`, sendJson('POST', 'full', { url, file: url }));
    await send('/api/auth/forgot-password', sendJson('POST', '', { email: 'victim@example.com', url, callback: url }));
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});

/** The document of a client is the one exception, and for signed-in users alone. */
it('a document about a client is fetched for no anonymous request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const connecting = serving({ oauth: { registration: true } });
  for (const url of ['https://evil.example/client.json', 'https://169.254.169.254/client.json']) {
    const fields = { client_id: url, redirect_uri: url, resource: url, token: url, code: url, refresh_token: url };
    const query = new URLSearchParams({ ...fields, response_type: 'code', code_challenge_method: 'S256' });
    await connecting(`/oauth/authorize?${query}`, { redirect: 'manual' });
    for (const type of ['authorization_code', 'refresh_token'])
      await form(connecting, '/oauth/token', { ...fields, grant_type: type, code_verifier: url });
    await form(connecting, '/oauth/revoke', fields);
    const metadata = { redirect_uris: [url], client_uri: url, logo_uri: url, jwks_uri: url, software_statement: url };
    await connecting('/oauth/register', sendJson('POST', '', metadata));
    for (const token of ['', 'full', 'reads'])
      for (const path of ['request', 'consent'])
        await connecting(
          `/api/auth/oauth/${path}`,
          sendJson('POST', token, { ...ASKED, clientId: url, redirectUri: url, level: 'read', types: null }),
        );
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockImplementation(async () => new Response('inside'));
  const url = 'https://evil.example/client.json';
  const body = { ...ASKED, clientId: url, redirectUri: url };
  await connecting('/api/auth/oauth/request', sendJson('POST', world.jwt, body));
  expect(fetched).toHaveBeenCalled();
  fetched.mockRestore();
});

/** Payload CVE-2026-27567, CVE-2026-34746; CVE-2024-37818 */
it('an upload fetches no address of a request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('inside'));
  const address = 'http://169.254.169.254/latest/meta-data';
  const said = {
    url: address,
    files: address,
    src: address,
    externalUrl: address,
    filename: address,
    sourceUrl: address,
  };
  const answers = await Promise.all([
    postForm(send, formOf([], said)),
    postForm(send, formOf([], { fileInfo: JSON.stringify(said) })),
    postForm(send, JSON.stringify({ ...said, fileInfo: said }), '', 'full', 'application/json'),
    postForm(send, formOf([]), `?url=${address}`),
    send('/api/upload/files/import', sendJson('POST', 'full', { url: address })),
    send('/files/import', sendJson('POST', 'full', { url: address })),
    send(`/uploads/${encodeURIComponent(address)}`),
    send(`/_next/image?url=${address}&w=64&q=75`),
    send(`/cdn-cgi/image/width=64/${address}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 405, 405, 404, 404, 404]);
  const { id, url } = await uploadOne(send, TEXT, { ...said, fileInfo: JSON.stringify(said) });
  await uploaded(postForm(send, JSON.stringify({ fileInfo: said }), `?id=${id}`, 'full', 'application/json'));
  expect(await textAt(url)).toBe('a text');
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});
