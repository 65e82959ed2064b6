/**
 * @module The body of `POST /api/batch`.
 */
import * as z from 'zod/mini';

/** Maximum number of requests of a batch. */
export const MAX_REQUESTS = 100;

export const BATCH_METHODS = ['POST', 'PUT', 'DELETE'] as const;
export type BatchMethod = (typeof BATCH_METHODS)[number];
/** What a request of a batch does, and the grant that it needs. */
export const BATCH_ACTIONS = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
} as const satisfies Readonly<Record<BatchMethod, string>>;

const unknownKeys =
  (known: string) =>
  (issue: z.core.$ZodRawIssue): string | undefined =>
    issue.code === 'unrecognized_keys' ? `Unknown key "${issue.keys[0]}". Expected ${known}` : 'Expected an object';

const tag = z.string({ error: 'Expected an ETag' });
const path = z
  .string({ error: 'Expected a path' })
  .check(z.regex(/^\/api\/[^\s\\#]+$/, { error: 'Expected a path of /api/… without an origin' }));

export const REQUEST_OF_BATCH = z.strictObject(
  {
    method: z.enum(BATCH_METHODS, { error: 'Expected POST, PUT or DELETE' }),
    path: path.check(z.describe('Of a document or a content type, with its query')),
    body: z.optional(z.unknown()).check(z.meta({ type: 'object' })),
    ifMatch: z.optional(tag.check(z.describe('As the header `If-Match` of PUT and DELETE'))),
    ifNoneMatch: z.optional(tag),
  },
  { error: unknownKeys('method, path, body, ifMatch and ifNoneMatch') },
);

const length = `Expected a list of 1 to ${MAX_REQUESTS} requests`;
/** The number is checked first: a million requests are one error. */
const requests = z.pipe(
  z
    .array(z.unknown(), { error: length })
    .check(z.minLength(1, { error: length }), z.maxLength(MAX_REQUESTS, { error: length })),
  z.array(REQUEST_OF_BATCH),
);

export const BATCH_BODY = z.strictObject({ requests }, { error: unknownKeys('requests') });
export type BatchBody = z.output<typeof BATCH_BODY>;
