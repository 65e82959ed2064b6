/**
 * @module The types of users, of their sign-in, and of files.
 */
import type { Model } from './model.ts';
import type { Checked, OneQuery, Sort, WriteQuery } from './queries.ts';
import type { RequestOptions } from './request.ts';
import type { Shown } from './result.ts';

type Nothing = Record<never, never>;

/** A user as Strapi declares it. */
export interface User {
  id: number;
  documentId: string;
  username: string;
  email: string;
  provider: string | null;
  confirmed: boolean | null;
  blocked: boolean | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string;
}

/** The model of users without attributes of their own; `UsersPermissionsUserModel` of the generated types has them. */
export interface UserModel {
  uid: 'plugin::users-permissions.user';
  document: User;
  filters: Custom;
  populate: object;
  presets: object;
  unique: never;
}

/** The type of a role, its `id`, its `documentId`, or a connection. */
type Role = string | number | { readonly connect: readonly { readonly id: number }[] };

/** Attributes of users of a project. */
interface Custom {
  readonly [name: string]: unknown;
}

interface NewUser extends Custom {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly role?: Role;
  readonly confirmed?: boolean;
  readonly blocked?: boolean;
}

interface UserList<M extends Model> extends OneQuery<M> {
  readonly filters?: M['filters'] | undefined;
  readonly sort?: Sort<M> | undefined;
  readonly start?: number;
  readonly limit?: number;
  readonly _q?: string | undefined;
}

/** A user by its numeric `id` or `documentId`. */
type UserId = number | string;

/** `/api/users`: bare users, without `data` around them. */
export interface Users<M extends Model> {
  me<const Q extends OneQuery<M> = Nothing>(query?: Q & Checked<Q, OneQuery<M>>): Promise<Shown<M, Q>>;
  updateMe(
    data: { readonly username?: string; readonly email?: string; readonly currentPassword?: string },
    options?: RequestOptions,
  ): Promise<Shown<M, Nothing>>;
  find<const Q extends UserList<M> = Nothing>(query?: Q & Checked<Q, UserList<M>>): Promise<Shown<M, Q>[]>;
  count(query?: Pick<UserList<M>, 'filters' | '_q'> & RequestOptions): Promise<number>;
  /** null for an id of no user. */
  findOne<const Q extends OneQuery<M> = Nothing>(
    id: UserId,
    query?: Q & Checked<Q, OneQuery<M>>,
  ): Promise<Shown<M, Q> | null>;
  create(data: NewUser, options?: WriteQuery<M>): Promise<Shown<M, Nothing>>;
  update(id: UserId, data: Partial<NewUser>, options?: WriteQuery<M>): Promise<Shown<M, Nothing>>;
  delete(id: UserId): Promise<Shown<M, Nothing> | null>;
  invite(
    data: { readonly email: string; readonly username?: string; readonly role?: string | number },
    options?: RequestOptions,
  ): Promise<{ user: Shown<M, Nothing>; sent: boolean; link?: string }>;
}

/** The response to a sign-in; `refreshToken` with the setting `users.jwtManagement: 'refresh'`. */
export interface SignedIn<M extends Model> {
  jwt: string;
  refreshToken?: string;
  user: Shown<M, Nothing>;
}

interface Device {
  readonly deviceId?: string;
}

interface Chosen extends Device {
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** `/api/auth`. The client keeps no token: give it to `createClient`. */
export interface Auth<M extends Model> {
  local(
    body: Device & { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<SignedIn<M>>;
  /** Without `jwt` where the address has to be confirmed first. */
  register(
    body: Custom & { readonly username: string; readonly email: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<Partial<SignedIn<M>> & Pick<SignedIn<M>, 'user'>>;
  refresh(
    body?: { readonly refreshToken?: string },
    options?: RequestOptions,
  ): Promise<{ jwt: string; refreshToken?: string }>;
  logout(
    body?: Device & { readonly refreshToken?: string; readonly scope?: 'all' },
    options?: RequestOptions,
  ): Promise<{ ok: true }>;
  changePassword(body: Chosen & { readonly currentPassword: string }, options?: RequestOptions): Promise<SignedIn<M>>;
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<{ ok: true }>;
  resetPassword(body: Chosen & { readonly code: string }, options?: RequestOptions): Promise<SignedIn<M>>;
  sendEmailConfirmation(
    body: { readonly email: string },
    options?: RequestOptions,
  ): Promise<{ email: string; sent: true }>;
}

interface Picture {
  name: string;
  hash: string;
  ext: string;
  mime: string;
  width: number;
  height: number;
  size: number;
  url: string;
}

/** A stored file. */
export interface StoredFile {
  id: number;
  documentId: string;
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint: { x: number; y: number } | null;
  width: number | null;
  height: number | null;
  formats: { [size: string]: Picture } | null;
  hash: string;
  ext: string | null;
  mime: string;
  /** In thousands of bytes. */
  size: number;
  url: string;
  previewUrl: string | null;
  provider: string;
  createdAt: string;
  updatedAt: string;
}

interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
  readonly focalPoint?: { readonly x: number; readonly y: number };
  readonly folder?: number;
  readonly private?: boolean;
}

/** Uploads files, and attaches them to the attribute `field` of a document. */
export type Upload = (
  files: Blob | readonly Blob[],
  options?: RequestOptions & {
    /** Of each file, in order. */
    readonly fileInfo?: FileInfo | readonly FileInfo[];
    /** The uid of a content type, the documentId, and the attribute. */
    readonly ref?: string;
    readonly refId?: string;
    readonly field?: string;
    readonly idempotencyKey?: string;
  },
) => Promise<StoredFile[]>;
