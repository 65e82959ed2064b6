/**
 * @module The warning of `dev`, `deploy` and `doctor` where wrangler.toml lacks what connecting clients needs.
 */
import { expect, it } from 'vitest';
import { flagWarnings } from '../../../cli/deploy/warnings.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const on = parseSettings({ oauth: true, mcp: true, server: { url: 'https://api.example.com' } });

it('names the flag that is missing, where clients can be connected', () => {
  expect(flagWarnings(on, { compatibility_flags: ['nodejs_compat'] })).toEqual([
    'oauth: no client can be connected, since compatibility_flags in wrangler.toml lacks "global_fetch_strictly_public"',
  ]);
  expect(flagWarnings(on, { compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'] })).toEqual([]);
  expect(flagWarnings(parseSettings({}), { compatibility_flags: [] })).toEqual([]);
});
