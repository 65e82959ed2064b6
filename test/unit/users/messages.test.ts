/**
 * @module Senders of messages, what they are given, and where the links in messages lead.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UserCall } from '../../../src/features/users/call.ts';
import { cloudflareSender, httpSender, noSender } from '../../../src/features/users/email.ts';
import { mailOf } from '../../../src/features/users/mail.ts';
import { linkOf } from '../../../src/features/users/reset-password.ts';
import type { AppContext } from '../../../src/http/context.ts';
import type { Deployment } from '../../../src/http/deployment.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';

afterEach(() => vi.restoreAllMocks());

const message = { to: 'ann@example.com', subject: 'Hello', text: 'Text' };
const from = 'hello@site.test';

function answering(status: number) {
  const cancel = vi.fn();
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(new ReadableStream({ cancel }), { status }));
  const bodies = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
  return { fetched, cancel, bodies };
}

describe('a message by HTTP', () => {
  it.each([
    ['', '', { from }],
    ['', 'desk@site.test', { from, reply_to: 'desk@site.test' }],
    ["The Site's 1-2", '', { from: `The Site's 1-2 <${from}>` }],
    ['Site, The', '', { from: `"Site, The" <${from}>` }],
    ['Back\\slash', '', { from: String.raw`"Back\\slash" <${from}>` }],
  ])('of %j, with replies to %j, has %j', async (fromName, replyTo, fields) => {
    const { bodies, fetched } = answering(200);
    await httpSender('https://mail.test/', undefined, { from, fromName, replyTo }).send(message);
    expect(bodies()).toEqual([{ ...fields, ...message, to: [message.to] }]);
    expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({ 'content-type': 'application/json' });
  });

  it.each([200, 302, 500])('ends with the response %i, whose body is left', async (status) => {
    const { cancel } = answering(status);
    const sent = httpSender('https://mail.test/', 'key', { from, fromName: '', replyTo: '' }).send(message);
    await (status === 200 ? sent : expect(sent).rejects.toThrow(`the e-mail provider responded with ${status}`));
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('needs no body in the response', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 204 }));
    await httpSender('https://mail.test/', 'key', { from, fromName: '', replyTo: '' }).send(message);
  });
});

describe("a message by Cloudflare's binding", () => {
  it.each([
    ['', '', { from }],
    ['The Site', 'desk@site.test', { from: { email: from, name: 'The Site' }, replyTo: 'desk@site.test' }],
  ])('of %j, with replies to %j, has %j', async (fromName, replyTo, fields) => {
    const send = vi.fn(async () => ({ messageId: '1' }));
    await cloudflareSender({ send } as never, { from, fromName, replyTo }).send(message);
    expect(send.mock.calls).toEqual([[{ ...fields, ...message }]]);
  });

  it('is rejected as by the binding, and without it', async () => {
    const send = () => Promise.reject(new Error('no such domain'));
    const plain = { from, fromName: '', replyTo: '' };
    await expect(cloudflareSender({ send } as never, plain).send(message)).rejects.toThrow('no such domain');
    await expect(cloudflareSender(undefined, plain).send(message)).rejects.toThrow('there is no binding EMAIL');
  });
});

describe('the sender of a deployment', () => {
  const mailing = (email: SettingsInput['email'], env: object = {}, emailSender?: object) => {
    const settings = parseSettings({ server: { url: 'https://api.site.test//' }, ...(email && { email }) });
    return mailOf({ env } as AppContext, { settings, emailSender } as Deployment);
  };

  it('is that of the settings, and its links lead to the server', async () => {
    expect(mailing(undefined)).toEqual({ email: noSender, publicUrl: 'https://api.site.test' });
    const send = vi.fn(async () => undefined);
    await mailing({ provider: 'cloudflare', from }, { EMAIL: { send } }).email.send(message);
    expect(send).toHaveBeenCalledTimes(1);
    const { fetched } = answering(200);
    await mailing({ provider: 'http', url: 'https://mail.test/', from }, { EMAIL_API_KEY: 'k' }).email.send(message);
    expect(fetched.mock.calls[0]?.[0]).toBe('https://mail.test/');
    expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer k' });
    await expect(noSender.send(message)).rejects.toThrow('"Hello" was not sent');
  });

  it('is its own, if it has one', () => {
    const own = { send: async () => undefined };
    expect(mailing({ provider: 'http', url: 'https://mail.test/', from }, {}, own).email).toBe(own);
  });

  it('is the mailbox of a local server, whose links lead to it, whatever the settings say', async () => {
    const env = { LOCAL_MAILBOX: 'http://localhost:1/', LOCAL_URL: 'http://localhost:8787' };
    const { email, publicUrl } = mailing({ provider: 'http', url: 'https://mail.test/', from }, env);
    const { fetched, bodies } = answering(200);
    await email.send(message);
    expect([publicUrl, fetched.mock.calls[0]?.[0]]).toEqual(['http://localhost:8787', 'http://localhost:1/']);
    expect(bodies()).toMatchObject([{ from: 'edgewise@localhost' }]);
    expect(mailing(undefined, { LOCAL_MAILBOX: 'http://localhost:1/' }).publicUrl).toBe('');
  });
});

it.each<[page: string, studio: SettingsInput['studio'], link: string]>([
  ['', undefined, 'https://api.site.test/studio/#/reset?code=c'],
  ['', false, 'https://api.site.test/?code=c'],
  ['/reset', false, 'https://api.site.test/reset?code=c'],
  ['/reset?lang=en', undefined, 'https://api.site.test/reset?lang=en&code=c'],
  ['https://www.site.test/', undefined, 'https://www.site.test/?code=c'],
  ['http://www.site.test/?a', undefined, 'http://www.site.test/?a&code=c'],
])('the page %j, with Studio %j, has the link %s', (resetPasswordUrl, studio, link) => {
  const settings = parseSettings({ users: { resetPasswordUrl }, ...(studio !== undefined && { studio }) });
  expect(linkOf({ settings, publicUrl: 'https://api.site.test' } as UserCall, 'c')).toBe(link);
});
