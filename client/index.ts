/**
 * @module The client of an Edgewise API, typed by its content types.
 */
import type { UserModel } from './account-types.ts';
import { authOf, uploadTo, usersOf } from './accounts.ts';
import { runBatch } from './batch.ts';
import { documentsAt, type Perform, sentOf } from './documents.ts';
import { etagOf } from './errors.ts';
import type { Model } from './model.ts';
import type { Client, ContentTypesOf } from './operations.ts';
import { type ClientOptions, type Sent, sender } from './request.ts';

export type { SignedIn, StoredFile, User } from './account-types.ts';
export {
  ApiError,
  BadRequestError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  type Issue,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
export type { Client, Document, Query } from './operations.ts';
export type { ClientOptions, RequestOptions } from './request.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly pagination: { readonly next?: string | null } };
}

/** Members of the client begin with `$`; any other name is a content type. `await` asks for `then`, so that type is `$type('then')` alone. */
const lookup = (own: Readonly<Record<string, unknown>>, typeAt: (name: string) => unknown): ProxyHandler<object> => ({
  get: (_, name) => {
    if (typeof name !== 'string' || name === 'then') return undefined;
    return name.startsWith('$') ? own[name] : typeAt(name);
  },
});

const PAGE = 100;

/**
 * Returns a client. `client.articles.find({ … })` reads `/api/articles`; content types with other names are
 * `client['blog-posts']` or `client.$type('blog-posts')`.
 * @typeParam C `ContentTypes` of the generated `content-types.d.ts`
 * @typeParam U its `UsersPermissionsUserModel`, for users with attributes of their own
 */
export function createClient<C extends ContentTypesOf<C>, U extends Model = UserModel>(
  options: ClientOptions,
): Client<C, U> {
  const send = sender(options);

  const perform: Perform = async (method, path, { data, ...sent }) => {
    const response = await send(method, path, { ...sent, ...(data !== undefined && { body: { data } }) });
    if (response.status === 204) return null;
    return { ...((await response.json()) as object), etag: etagOf(response) };
  };

  const typeAt = (name: string) => {
    const path = `/api/${encodeURIComponent(name)}`;
    const documents = documentsAt(path, perform);
    async function* each({ pagination, ...query }: { readonly pagination?: object } = {}) {
      for (let after: string | null = ''; after !== null; ) {
        const page = (await documents.find({ ...query, pagination: { limit: PAGE, ...pagination, after } })) as Page;
        const { next } = page.meta.pagination;
        if (next === undefined) throw new Error('The response has no meta.pagination.next: the API has no cursors');
        yield* page.data;
        after = next;
      }
    }
    return { ...documents, each };
  };

  const own = {
    $type: typeAt,
    $batch: (build: (batch: object) => readonly string[], sent?: Record<string, unknown>) =>
      runBatch(
        send,
        (recorder) => {
          const typeIn = (name: string) => recorder(`/api/${encodeURIComponent(name)}`);
          return build(new Proxy({}, lookup({ $type: typeIn }, typeIn)));
        },
        sentOf(sent),
      ),
    $upload: uploadTo(send),
    $users: usersOf(send),
    $auth: authOf(send),
    /** Sends a request to any path, such as a route of your own. */
    $fetch: (path: string, { method = 'GET', ...sent }: Sent & { readonly method?: string } = {}) =>
      send(method, path, sent),
  };
  return new Proxy({}, lookup(own, typeAt)) as Client<C, U>;
}
