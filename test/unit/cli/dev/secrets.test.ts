/**
 * @module `.dev.vars`, which `npm run dev` completes.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ensureSecrets, localSecretWarnings } from '../../../../cli/dev/secrets.ts';
import { parseSettings } from '../../../../src/schema/settings/config.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

const FILE = '.dev.vars';
const SECRET = '[0-9a-f]{64}';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

/** Completes a file with this text, and returns its text. */
function completed(text: string): string {
  project.write(FILE, text);
  ensureSecrets(project.root);
  return readFileSync(join(project.root, FILE), 'utf8');
}

it('a project without .dev.vars gets one that only its owner may read', () => {
  ensureSecrets(project.root);
  expect(readFileSync(join(project.root, FILE), 'utf8')).toMatch(new RegExp(`^JWT_SECRET=${SECRET}\n$`));
  expect(statSync(join(project.root, FILE)).mode & 0o777).toBe(0o600);
});

it.each([
  ['WEBHOOK_SECRET=of my own\n', 'WEBHOOK_SECRET=of my own\n'],
  ['WEBHOOK_SECRET=of my own', 'WEBHOOK_SECRET=of my own\n'],
  ['# JWT_SECRET=commented\n', '# JWT_SECRET=commented\n'],
  ['OLD_JWT_SECRET=another\n', 'OLD_JWT_SECRET=another\n'],
  ['JWT_SECRET=\n', 'JWT_SECRET=\n'],
  ['', ''],
])('.dev.vars with %j keeps it, and gets a JWT_SECRET', (text, kept) => {
  const written = completed(text);
  expect(written.slice(0, kept.length)).toBe(kept);
  expect(written.slice(kept.length)).toMatch(new RegExp(`^JWT_SECRET=${SECRET}\n$`));
});

it.each(['JWT_SECRET=mine\n', 'A=b\nexport JWT_SECRET="mine"', ' JWT_SECRET = mine # a comment\n'])(
  '.dev.vars with %j stays as it is',
  (text) => {
    expect(completed(text)).toBe(text);
  },
);

it('the secrets that a webhook of this machine and a provider lack are named, and no others', () => {
  project.write(FILE, 'THERE=value\nEMPTY=\n');
  const hook = { url: 'https://example.com/', events: ['entry.*' as const] };
  const { webhooks } = parseSettings({
    webhooks: [
      { ...hook, secret: 'REMOTE' },
      { ...hook, url: 'http://localhost:4000/', allowPrivate: true, secret: 'EMPTY', headers: { 'x-key': '$THERE' } },
    ],
  });
  const providers = { google: { clientId: 'a', secret: 'GOOGLE_SECRET' }, github: { clientId: 'b', secret: 'THERE' } };
  expect(localSecretWarnings(project.root, { ...parseSettings({ users: { providers } }), webhooks })).toEqual([
    'webhooks: nothing is sent without the secret EMPTY; add the line EMPTY=<value> to .dev.vars',
    'users.providers.google: users cannot sign in without the secret GOOGLE_SECRET; add the line GOOGLE_SECRET=<value> to .dev.vars',
  ]);
});
