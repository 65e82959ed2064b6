/**
 * @module The errors of requests, and their form in a response. Imports no other module of the project.
 */

/** A failed rule of a document; `path` has list indices as texts. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly value?: unknown;
}

type Details = Readonly<Record<string, unknown>>;

/** What a response has in addition to its kind, in place of the defaults. */
interface Particulars {
  readonly message?: string;
  readonly details?: Details;
  /** Seconds. */
  readonly retryAfter?: number;
  /** The permission that the caller lacks; only a local server names it. */
  readonly permission?: string;
  /** The tag that would match; absent if the document does not exist. */
  readonly etag?: string;
}

type WithMessage =
  | 'validation'
  | 'application'
  | 'pagination'
  | 'zone'
  | 'syntax'
  | 'bad-path'
  | 'bad-request'
  | 'unauthorized'
  | 'not-found'
  | 'unsupported-encoding'
  | 'precondition-failed';

type SingleProblem = Particulars &
  (
    | { readonly kind: WithMessage; readonly message: string }
    | { readonly kind: 'rate-limited' | 'overloaded' | 'key-in-use'; readonly retryAfter: number }
    | { readonly kind: 'too-large' | 'forbidden' | 'not-ready' | 'key-reused' | 'internal' }
  );

/** Of one request of a batch. */
type ProblemInBatch = Particulars & {
  readonly kind: 'in-batch';
  readonly request: number;
  readonly problem: SingleProblem;
};

export type Problem = SingleProblem | ProblemInBatch;
export type { SingleProblem };

export const isInBatch = (problem: Problem): problem is ProblemInBatch => problem.kind === 'in-batch';

/** Error of a request; `app.onError` turns it into the response. `cause` is only logged. */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message || problem.kind, options);
    this.name = 'ApiError';
    this.problem = problem;
  }
}

export const isProblem = (error: unknown, kind: Problem['kind']): error is ApiError =>
  error instanceof ApiError && error.problem.kind === kind;

export interface ErrorBody {
  readonly data: null;
  readonly error: {
    readonly status: number;
    readonly name: string;
    readonly message: string;
    readonly details?: Details;
  };
}

type ProblemResponse = readonly [status: number, name: string, message: string, details?: Details];

const KEY_HEADER = { source: 'header', header: 'Idempotency-Key' };

/** Strapi's responses, with the default message and details. */
const RESPONSES: Readonly<Record<SingleProblem['kind'], ProblemResponse>> = {
  validation: [400, 'ValidationError', '', {}],
  pagination: [400, 'PaginationError', '', {}],
  application: [400, 'ApplicationError', '', {}],
  zone: [400, 'Error', ''],
  syntax: [400, 'SyntaxError', ''],
  'bad-path': [400, 'BadRequestError', ''],
  'bad-request': [400, 'BadRequestError', '', {}],
  unauthorized: [401, 'UnauthorizedError', '', {}],
  forbidden: [403, 'ForbiddenError', 'Forbidden', {}],
  'not-found': [404, 'NotFoundError', '', {}],
  'precondition-failed': [412, 'PreconditionFailedError', ''],
  'too-large': [413, 'PayloadTooLargeError', 'Payload Too Large', {}],
  'key-in-use': [409, 'ConflictError', 'A request with this Idempotency-Key is in progress', KEY_HEADER],
  'key-reused': [422, 'UnprocessableEntityError', 'Another request has used this Idempotency-Key', KEY_HEADER],
  'unsupported-encoding': [415, 'Error', ''],
  'rate-limited': [429, 'RateLimitError', 'Too many requests, please try again later.', {}],
  overloaded: [503, 'ServiceUnavailableError', 'Service Unavailable', {}],
  'not-ready': [503, 'ServiceUnavailableError', 'Service Unavailable', {}],
  internal: [500, 'InternalServerError', 'Internal Server Error'],
};

/** Returns the error envelope of Strapi 5; that of a batch has the index of the request in its details. */
export function toErrorBody(problem: Problem): ErrorBody {
  if (isInBatch(problem)) {
    const { error } = toErrorBody(problem.problem);
    return { data: null, error: { ...error, details: { ...error.details, request: problem.request } } };
  }
  const [status, name, defaultMessage, defaultDetails] = RESPONSES[problem.kind];
  const { message = defaultMessage, details = defaultDetails } = problem;
  return { data: null, error: { status, name, message, ...(details && { details }) } };
}

/** Maximum characters of a text in an error, which may repeat a large value of the request. */
const MAX_TEXT = 5_000;
const END = 200;

/** Cuts the middle out of a long text. */
const cut = <T>(value: T): T | string =>
  typeof value === 'string' && value.length > MAX_TEXT
    ? `${value.slice(0, MAX_TEXT - END)}…${value.slice(-END)}`
    : value;

/** Returns a 400 whose details name the offending parameter or key. */
export function invalid(message: string, details?: Details): ApiError {
  const shown = details && Object.fromEntries(Object.entries(details).map(([key, value]) => [key, cut(value)]));
  return new ApiError({ kind: 'validation', message: cut(message), ...(shown && { details: shown }) });
}

/** Where the request has a name: in a parameter of the query string, or in the body. */
export type NameSource = { readonly source: 'query'; readonly param: string } | { readonly source: 'body' };

/** @param path the parent of an unknown key, or the path of a known but forbidden attribute */
export function invalidKey(key: string, path: string | null, source: NameSource): ApiError {
  const at = path !== null && path !== key ? ` at ${path}` : '';
  return invalid(`Invalid key ${key}${at}`, { key, path, ...source });
}

/** Maximum number of reported issues: validation stops there. */
export const MAX_ISSUES = 1_000;
/** Maximum characters of all issues; values that do not fit are left out, then issues. */
const MAX_ISSUE_CHARACTERS = 200_000;

function issueDetails(issues: readonly Issue[]): readonly Issue[] {
  const details: Issue[] = [];
  let left = MAX_ISSUE_CHARACTERS;
  for (const { value, ...issue } of issues.slice(0, MAX_ISSUES)) {
    const brief = { ...issue, message: cut(issue.message), name: 'ValidationError' };
    const size = JSON.stringify(brief).length;
    const valueSize = value === undefined ? 0 : JSON.stringify(value).length;
    if (size > left) break;
    const isWhole = size + valueSize <= left;
    details.push(isWhole && value !== undefined ? { ...brief, value } : brief);
    left -= isWhole ? size + valueSize : size;
  }
  return details;
}

export function invalidDocument(issues: readonly Issue[]): ApiError {
  const [first] = issues;
  const message = first && issues.length === 1 ? first.message : `${issues.length} errors occurred`;
  return invalid(message, { errors: issueDetails(issues) });
}

export function responseTooLarge(limit: 'answerRows' | 'answerBytes', max: number): ApiError {
  const unit = limit === 'answerRows' ? 'rows' : 'bytes';
  const message = `The response has too many ${unit}. Expected at most ${max}: populate less, or ask for smaller pages`;
  return invalid(message, { source: 'query', limit });
}

/** Returns the error of a request of a batch; others than errors of requests stay as they are. */
export function inBatch(request: number, error: unknown): unknown {
  if (!(error instanceof ApiError) || isInBatch(error.problem)) return error;
  return new ApiError({ kind: 'in-batch', request, problem: error.problem }, { cause: error });
}

/** A 400 of the project's own code. @param details a JSON object */
export class ApplicationError extends ApiError {
  constructor(message: string, details?: Details) {
    super({ kind: 'application', message, ...(details && { details }) });
  }
}

const errorClass = (kind: 'unauthorized' | 'forbidden' | 'not-found', text: string) =>
  class extends ApiError {
    constructor(message = text, permission?: string) {
      super({ kind, message, ...(permission !== undefined && { permission }) });
    }
  };

export const UnauthorizedError = errorClass('unauthorized', 'Missing or invalid credentials');
export const ForbiddenError = errorClass('forbidden', 'Forbidden');
export const NotFoundError = errorClass('not-found', 'Not Found');

export const notFound = (message?: string): ApiError => new NotFoundError(message);
export const unsupportedEncoding = (encoding: string): ApiError =>
  new ApiError({ kind: 'unsupported-encoding', message: `Unsupported Content-Encoding: ${cut(encoding)}` });
export const application = (message: string, details?: Details): ApiError => new ApplicationError(message, details);
/** Returns the 503 of a deployment that lacks something. @param cause what it lacks and what to do, for the log */
export const notReady = (cause: string): ApiError => new ApiError({ kind: 'not-ready' }, { cause });
/** Returns the 503 of a version that does not know the form of the stored values. */
export const unknownSchema = (): ApiError =>
  new ApiError(
    { kind: 'not-ready', retryAfter: 5 },
    { cause: 'A migration was applied that this version does not know: deploy the version that it belongs to' },
  );
export const forbidden = (message?: string): ApiError => new ForbiddenError(message);
/** Returns the 403 of a caller without a permission. @param permission an action id */
export const lacksPermission = (permission: string): ApiError => new ForbiddenError(undefined, permission);
export const unauthorized = (message?: string): ApiError => new UnauthorizedError(message);
