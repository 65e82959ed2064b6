/**
 * @module Users, their sign-in, and files, as requests.
 */
import { segmentOf, sentOf } from './documents.ts';
import type { Send } from './request.ts';

type Options = Readonly<Record<string, unknown>>;

const json = async (response: Promise<Response>): Promise<unknown> => {
  const found = await response;
  return found.status === 204 ? null : found.json();
};

const AUTH = {
  local: 'local',
  register: 'local/register',
  refresh: 'refresh',
  logout: 'logout',
  changePassword: 'change-password',
  forgotPassword: 'forgot-password',
  resetPassword: 'reset-password',
  sendEmailConfirmation: 'send-email-confirmation',
} as const;

/** Sign-in: each takes the body of its route. */
export function authOf(send: Send) {
  const post =
    (path: string) =>
    (body: object = {}, options?: Options) =>
      json(send('POST', `/api/auth/${path}`, { ...sentOf(options), body }));
  return Object.fromEntries(Object.entries(AUTH).map(([name, path]) => [name, post(path)]));
}

/** Users, who have no `data` around them. */
export function usersOf(send: Send) {
  const read = (path: string) => (options?: Options) => json(send('GET', `/api/users${path}`, sentOf(options)));
  const write = (method: string, path: string) => (body: object, options?: Options) =>
    json(send(method, `/api/users${path}`, { ...sentOf(options), body }));
  const at = (id: unknown) => segmentOf(String(id));
  return {
    me: read('/me'),
    find: read(''),
    count: read('/count'),
    findOne: (id: unknown, options?: Options) => read(at(id))(options),
    create: write('POST', ''),
    invite: write('POST', '/invite'),
    updateMe: write('PUT', '/me'),
    update: (id: unknown, body: object, options?: Options) => write('PUT', at(id))(body, options),
    delete: (id: unknown) => json(send('DELETE', `/api/users${at(id)}`)),
  };
}

interface UploadOptions {
  readonly fileInfo?: object | readonly object[];
  readonly ref?: string;
  readonly refId?: string;
  readonly field?: string;
  readonly [name: string]: unknown;
}

/** Uploads files as one form; what is said about them comes first, so that the server can stream. */
export function uploadTo(send: Send) {
  return (files: Blob | readonly Blob[], { fileInfo, ref, refId, field, ...options }: UploadOptions = {}) => {
    const form = new FormData();
    for (const info of [fileInfo ?? []].flat()) form.append('fileInfo', JSON.stringify(info));
    for (const [name, value] of Object.entries({ ref, refId, field })) if (value) form.append(name, value);
    for (const file of [files].flat()) form.append('files', file);
    return json(send('POST', '/api/upload', { ...sentOf(options), body: form }));
  };
}
