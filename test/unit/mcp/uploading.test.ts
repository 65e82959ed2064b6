/**
 * @module Uploads by a tool: bytes in the call, and addresses for one file.
 */
import { describe, expect, it } from 'vitest';
import { addressedUpload, upload } from '../../../src/features/mcp/uploading.ts';
import { failureOf, fakeCall } from './fake-call.ts';

const SECRET = 'a secret';
const stored = () => ({ status: 201, body: [{ id: 1 }] });
const sealedIn = (address: unknown) => String(address).slice(String(address).lastIndexOf('/') + 1);

describe('a file in the call', () => {
  const sent = async (args: object) => {
    const { call, requests } = fakeCall(stored);
    const outcome = await upload(call, { name: 'a.bin', caption: 'c', ...args });
    const form = requests[0]?.body as FormData;
    return { outcome, request: requests[0], file: form.get('files') as File, info: form.get('fileInfo') };
  };

  it('is sent to the media library with its details', async () => {
    const { outcome, request, file, info } = await sent({ base64: btoa('bytes'), mimeType: 'text/plain' });
    expect([outcome, request?.method, request?.path]).toEqual([{ data: { id: 1 } }, 'POST', '/api/upload']);
    expect([file.name, file.type, await file.text()]).toEqual(['a.bin', 'text/plain', 'bytes']);
    expect(JSON.parse(String(info))).toEqual({ name: 'a.bin', caption: 'c' });
  });

  it.each([
    ['', undefined, 'application/octet-stream'],
    ['data:image/png;base64,', undefined, 'image/png'],
    ['data:image/png;base64,', 'image/gif', 'image/gif'],
    ['data:;base64,', undefined, 'application/octet-stream'],
  ])('has the media type of %j and %j: %s', async (start, mimeType, type) => {
    const { file } = await sent({ base64: `${start}${btoa('bytes')}`, mimeType });
    expect([file.type, await file.text()]).toEqual([type, 'bytes']);
  });

  it('has 256 KB at most', async () => {
    const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
    expect((await sent({ base64: base64(262_144) })).file.size).toBe(262_144);
    expect(await failureOf(sent({ base64: base64(262_147) }))).toMatchObject({
      ...{ path: 'base64', message: expect.stringMatching(/^Expected at most 262144 bytes/) },
    });
  });
});

describe('an address for a file', () => {
  const claims = { id: 1, client: { grant: 'g' } } as never;

  it('stands for the caller and the details, for ten minutes', async () => {
    const { call } = fakeCall();
    const { address } = await upload(call, { name: 'a.txt', mimeType: 'Text/Plain' });
    expect(String(address).startsWith('https://api.example.com/up/')).toBe(true);
    const read = (now: number, secret: string | undefined = SECRET) => addressedUpload(sealedIn(address), secret, now);
    expect(await read(call.now + 599_999)).toEqual({
      headers: { authorization: 'Bearer x', 'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) },
      claims: undefined,
      file: { fileInfo: '{"name":"a.txt"}', type: 'text/plain' },
    });
    expect([await read(call.now + 600_000), await read(call.now, 'other')]).toEqual([undefined, undefined]);
    expect(await addressedUpload(sealedIn(address), undefined, call.now)).toBeUndefined();
  });

  it('of a client of OAuth has its claims, and no header', async () => {
    const { call } = fakeCall(undefined, { credential: { authorization: undefined, claims } });
    const { address } = await upload(call, { name: 'a.txt' });
    const addressed = await addressedUpload(sealedIn(address), SECRET, call.now);
    expect([Object.keys(addressed?.headers ?? {}), addressed?.claims, addressed?.file.type]).toEqual([
      ...[['idempotency-key'], claims, undefined],
    ]);
  });

  it.each([{ secret: undefined }, { caller: '' }])('is none with %j', async (more) => {
    expect(await failureOf(upload(fakeCall(undefined, more).call, { name: 'a.txt' }))).toMatchObject({
      ...{ path: 'base64', message: expect.stringMatching(/^Missing base64/) },
    });
  });

  it.each([
    [undefined, 0],
    [claims, JSON.stringify(claims).length],
  ])('has 4,096 bytes of details and of claims, %j, at most', async (ofClient, taken) => {
    const more = { credential: { authorization: undefined, claims: ofClient } };
    const rest = JSON.stringify(JSON.stringify({ name: '' })).length + taken;
    const addressed = (length: number) => upload(fakeCall(undefined, more).call, { name: 'x'.repeat(length) });
    expect(await addressed(4_096 - rest)).toHaveProperty('address');
    expect(await failureOf(addressed(4_097 - rest))).toMatchObject({ path: 'name' });
  });
});
