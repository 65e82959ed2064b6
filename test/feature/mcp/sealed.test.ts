/**
 * @module The address of an upload, which the server seals: what may be sent to it, and that once.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ mcp: true });

/** Where a file with these details may be sent. */
async function addressFor(details: object): Promise<string> {
  const params = { name: 'upload', arguments: details };
  const response = await send(
    '/mcp',
    sendJson('POST', 'full', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  );
  const { result } = (await response.json()) as { result: { structuredContent: { address: string } } };
  return new URL(result.structuredContent.address).pathname;
}

describe('a form sent to the address of an upload', () => {
  const INFO = { name: 'a.txt', caption: 'Sealed' };

  it('is no JSON, whose references would be looked up with the rights of its maker', async () => {
    const body = JSON.stringify({ ref: 'api::article.article', refId: 'nobody', field: 'cover' });
    const headers = { 'content-type': 'application/json' };
    const response = await send(await addressFor(INFO), { method: 'POST', body, headers });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('takes one file')]);
  });

  it('makes the file that the tool was called for, with its details and media type', async () => {
    const unnamed = new File(['text'], 'unknown');
    for (const fields of [
      [['files', unnamed]],
      [
        ['fileInfo', JSON.stringify(INFO)],
        ['files', unnamed],
      ],
    ] as const) {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      const address = await addressFor({ ...INFO, mimeType: 'text/csv' });
      const response = await send(`${address}?id=1`, { method: 'POST', body });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject([{ ...INFO, mime: 'text/csv' }]);
    }
  });
});

describe('the address of an upload', () => {
  it('takes one file, and no other bytes afterwards', async () => {
    const address = await addressFor({ name: 'a.txt' });
    const post = async (text: string) => {
      const body = new FormData();
      body.append('files', new File([text], 'a.txt', { type: 'text/plain' }));
      return (await send(address, { method: 'POST', body })).status;
    };
    const fileCount = () => env.DB.prepare('select count(*) as "count" from "files"').first('count');
    expect(await post('text')).toBe(201);
    const before = await fileCount();
    expect(await post('other bytes')).toBe(422);
    expect(await fileCount()).toBe(before);
  });
});
