/**
 * @module The errors of an API as classes: by status, with the name, message and details of the response.
 */

/** A broken rule of a document. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: string;
  readonly value?: unknown;
}

/** What a response says about its error. */
export interface ErrorDetails {
  /** Every broken rule of a body. */
  readonly errors?: readonly Issue[];
  /** The unknown key, and where it is. */
  readonly key?: string;
  readonly path?: string | null;
  /** Where the request is wrong: `query`, `body` or `header`. */
  readonly source?: string;
  readonly param?: string;
  /** The limit that was passed. */
  readonly limit?: string;
  /** The index of the request of a batch. */
  readonly request?: number;
  readonly [name: string]: unknown;
}

/** A response that is no success. `name` is the name in it, such as `ValidationError`. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  readonly response: Response;

  constructor(response: Response, { name, message, details }: Partial<Record<string, unknown>>) {
    super(String(message ?? `${response.status} ${response.statusText}`.trim()));
    this.name = String(name ?? 'ApiError');
    this.status = response.status;
    this.details = (details ?? {}) as ErrorDetails;
    this.response = response;
  }

  /** Seconds to wait before the request is sent again; undefined if the response has none. */
  get retryAfter(): number | undefined {
    return secondsIn(this.response);
  }
}

/** 400: a parameter, a key or a value is wrong. */
export class BadRequestError extends ApiError {}
/** 401: the token is not valid. */
export class UnauthorizedError extends ApiError {}
/** 403: the caller may not do this. */
export class ForbiddenError extends ApiError {}
/** 404: there is no such document or type. */
export class NotFoundError extends ApiError {}
/** 409 and 422: the idempotency key is in use, or was used for another request. */
export class ConflictError extends ApiError {}
/** 412: the document is not as `ifMatch` says. */
export class PreconditionFailedError extends ApiError {
  /** The tag that would match; undefined if the document does not exist. */
  get etag(): string | undefined {
    return etagOf(this.response);
  }
}
/** 429: too many requests. */
export class RateLimitError extends ApiError {}
/** 503: come back later. */
export class UnavailableError extends ApiError {}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: ConflictError,
  429: RateLimitError,
  503: UnavailableError,
};

/** Returns the entity tag without the `W/` that compressing proxies add. */
export const etagOf = ({ headers }: Response): string | undefined => headers.get('etag')?.replace(/^W\//, '');

/** Returns `Retry-After` in seconds. */
export function secondsIn({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = Number.isNaN(Number(text)) ? (Date.parse(text) - Date.now()) / 1000 : Number(text);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns the error of a response, whose body it reads. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const Class = CLASSES[response.status] ?? ApiError;
  try {
    return new Class(response, JSON.parse(text).error ?? {});
  } catch {
    return new Class(response, { message: text || undefined });
  }
}
