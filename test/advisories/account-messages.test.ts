/**
 * @module Messages to accounts go to their address alone and lead to the configured page, and no response tells who has an
 * account.
 */

import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDeployment } from '../../src/deployment.ts';
import type { EmailSender } from '../../src/features/users/email.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { recordedRegistry, sendJson, serve } from '../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf } from '../support/users.ts';
import { createWorld, send, settings, world } from './world.ts';

beforeAll(createWorld);

describe('a message', () => {
  const EVIL = 'evil.example';
  const mailing = (mail: EmailSender, more: object = {}) => serve({ ...settings, ...more }, {}, mail);

  /** CVE-2023-22621, GHSA-2h87-4q2w-v4hf */
  it('shows a name with the syntax of templates as it is', async () => {
    const names = ['<%= 7*191 %>', `$\{7*191}`, '{{7*191}}', '#{7*191}', '<%- process.env %>', '{{constructor}}'];
    for (const [index, username] of names.entries()) {
      const mail = outbox();
      const confirming = mailing(mail, { users: { emailConfirmation: true } });
      const email = `template-${index}@example.com`;
      expect((await post(confirming, '/api/auth/local/register', { username, email, password: PASSWORD })).status).toBe(
        200,
      );
      await post(confirming, '/api/auth/forgot-password', { email });
      expect(mail.messages.length).toBe(2);
      for (const { subject, text, to } of mail.messages) {
        expect(to).toBe(email);
        // A code may have any digits.
        expect(`${subject}${text}`.replaceAll(/[0-9a-f]{64,}/g, '')).not.toMatch(/1337|function|PATH=/);
      }
    }
  });

  /** Payload CVE-2026-34751; Directus CVE-2024-27295 */
  it('with a code goes to the address of its account alone, and links to no host of the request', async () => {
    const bodies = [
      { email: 'victim@example.com', url: `https://${EVIL}`, resetPasswordUrl: `https://${EVIL}`, to: `me@${EVIL}` },
      { email: 'victim@example.com', origin: `https://${EVIL}`, host: EVIL },
      { email: 'VICTIM@EXAMPLE.COM' },
    ];
    const headers = {
      'x-forwarded-host': EVIL,
      forwarded: `host=${EVIL}`,
      origin: `https://${EVIL}`,
      referer: `https://${EVIL}`,
    };
    for (const body of bodies) {
      const mail = outbox();
      await mailing(mail)('/api/auth/forgot-password', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      // Unknown keys are rejected.
      const isPlain = Object.keys(body).join() === 'email';
      expect(mail.messages.map(({ to }) => to)).toEqual(isPlain ? ['victim@example.com'] : []);
      expect(JSON.stringify(mail.messages)).not.toContain(EVIL);
    }
    const others: unknown[] = [
      'victím@example.com',
      'vıctim@example.com',
      'victim@example.com,me@evil.example',
      'victim@example.com\r\nbcc: me@evil.example',
      ['victim@example.com', 'me@evil.example'],
      { $ne: '' },
      { $startsWith: 'v' },
      true,
    ];
    for (const email of others) {
      const mail = outbox();
      await post(mailing(mail), '/api/auth/forgot-password', { email });
      expect(mail.messages).toEqual([]);
    }
  });

  /** CVE-2024-34065, GHSA-wrvh-rcmr-9qfc */
  it('of a confirmation redirects to the configured page alone', async () => {
    const paths = [
      `/api/connect/github?callback=https://${EVIL}`,
      `/api/connect/github/callback?access_token=x&callback=https://${EVIL}`,
      `/api/auth/github/callback?access_token=x`,
      `/api/auth/email-confirmation?confirmation=x&callback=https://${EVIL}&redirect=https://${EVIL}&url=https://${EVIL}`,
    ];
    for (const path of paths) {
      const response = await send(path, { redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 400]);
      expect(response.headers.get('location')).toBeNull();
    }
    const mail = outbox();
    const confirming = mailing(mail, { users: { emailConfirmation: true, emailConfirmationRedirection: '/welcome' } });
    await post(confirming, '/api/auth/local/register', {
      username: 'redirected',
      email: 'redirected@example.com',
      password: PASSWORD,
    });
    const code = /confirmation=(\w+)/.exec(mail.messages[0]?.text ?? '')?.[1];
    const confirmed = await confirming(
      `/api/auth/email-confirmation?confirmation=${code}&callback=https://${EVIL}&redirect=//${EVIL}`,
    );
    expect(confirmed.headers.get('location')).toBe('/welcome');
  });
});

/** Returns the response without waiting for the work after it. */
async function unawaited(path: string, body: unknown, emailSender: EmailSender): Promise<string> {
  const settings = parseSettings({ rateLimit: { auth: { enabled: false } } });
  const app = createApp(createDeployment({ registry: recordedRegistry, settings, emailSender }));
  const request = new Request(`http://edgewise.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const context = {
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
    passThroughOnException: () => {},
  };
  const response = await app.fetch(request, env, context as never);
  return `${response.status} ${(await response.text()).replaceAll(/[\w-]+@example\.com/g, '…')}`;
}

describe('the existence of an account', () => {
  /** Directus CVE-2026-26185 */
  it.each(['/api/auth/forgot-password', '/api/auth/send-email-confirmation'])(
    'is revealed neither by the response of %s nor by the time that its message takes',
    async (path) => {
      await env.DB.prepare('update "up_users" set "confirmed" = 0 where "id" = ?').bind(world.victim).run();
      const started = vi.fn();
      const never: EmailSender = { send: () => new Promise(() => started()) };
      const known = await unawaited(path, { email: 'victim@example.com' }, never);
      const unknown = await unawaited(path, { email: 'nobody@example.com' }, never);
      expect(known).toBe(unknown);
      expect(known.slice(0, 3)).toBe('200');
      await expect.poll(() => started).toHaveBeenCalledTimes(1);
    },
  );

  it('is not revealed by the error of a sign-in', async () => {
    const change = (data: object) => send(`/api/users/${world.victim}`, sendJson('PUT', 'full', data));
    expect((await change({ blocked: true, confirmed: false })).status).toBe(200);
    const refusals = await Promise.all(
      ['victim', 'victim@example.com', 'nobody', '%', "' or 1=1 --"].map(async (name) =>
        refusalOf(await login(send, name, 'guessed')),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(['400 ValidationError: Invalid identifier or password']));
    expect((await login(send, 'victim')).status).toBe(400);
    expect((await change({ blocked: false, confirmed: true })).status).toBe(200);
    expect((await login(send, 'victim')).status).toBe(200);
  });
});
