/**
 * @module The pages whose scripts may read responses.
 */
import { expect, it } from 'vitest';
import { type AppContext, isAllowedOrigin } from '../../../src/http/context.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const settings = parseSettings({ cors: { origins: ['https://site.example'] } });
const LOCAL = 'http://localhost:8787';
const DEPLOYED = 'https://api.example.com';

it.each([
  [DEPLOYED, 'https://site.example', true],
  [LOCAL, 'https://site.example', true],
  [LOCAL, 'http://localhost:3000', true],
  [LOCAL, 'http://127.0.0.1', true],
  [LOCAL, 'https://[::1]:5173', true],
  [LOCAL, 'https://evil.example', false],
  [LOCAL, 'http://localhost.evil.example', false],
  [LOCAL, undefined, false],
  [DEPLOYED, 'http://localhost:3000', false],
  [DEPLOYED, 'https://site.example.evil.example', false],
  [DEPLOYED, undefined, false],
])('a response of %s may be read by pages of %s: %s', (server, origin, isAllowed) => {
  const req = { raw: new Request(server), header: () => origin };
  expect(isAllowedOrigin({ req } as unknown as AppContext, settings)).toBe(isAllowed);
});
