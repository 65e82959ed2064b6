/**
 * @module The errors of requests, and their form in a response. Imports no other module of the project.
 */

/** One failed rule of a document: path as texts (also for list indices), and the value the rule saw. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly value?: unknown;
}

export type Problem =
  | { readonly kind: 'validation'; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'pagination'; readonly message: string }
  | { readonly kind: 'application'; readonly message: string }
  /** Strapi names this one plainly "Error". */
  | { readonly kind: 'zone'; readonly message: string }
  | { readonly kind: 'syntax'; readonly message: string }
  | { readonly kind: 'bad-path'; readonly message: string }
  | { readonly kind: 'bad-request'; readonly message: string }
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message?: string }
  | { readonly kind: 'unsupported-encoding'; readonly encoding: string }
  | { readonly kind: 'rate-limited'; readonly retryAfter: number }
  | { readonly kind: 'overloaded'; readonly retryAfter: number }
  | { readonly kind: 'internal' };

/**
 * Error of a request, thrown at any depth. `app.onError` turns it into the response; few callers in between catch it,
 * to defer, reword or handle it. `cause` stays on the server.
 */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: ErrorOptions) {
    super(('message' in problem && problem.message) || problem.kind, options);
    this.name = 'ApiError';
    this.problem = problem;
  }
}

export interface ErrorBody {
  readonly data: null;
  readonly error: {
    readonly status: number;
    readonly name: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

type Wire = readonly [status: number, name: string, message: string, details?: Readonly<Record<string, unknown>>];

function wire(problem: Problem): Wire {
  switch (problem.kind) {
    case 'validation':
      return [400, 'ValidationError', problem.message, problem.details ?? {}];
    case 'pagination':
      return [400, 'PaginationError', problem.message, {}];
    case 'application':
      return [400, 'ApplicationError', problem.message, {}];
    case 'zone':
      return [400, 'Error', problem.message];
    case 'syntax':
      return [400, 'SyntaxError', problem.message];
    case 'bad-path':
      return [400, 'BadRequestError', problem.message];
    case 'bad-request':
      return [400, 'BadRequestError', problem.message, {}];
    case 'unauthorized':
      return [401, 'UnauthorizedError', problem.message, {}];
    case 'forbidden':
      return [403, 'ForbiddenError', 'Forbidden', {}];
    case 'not-found':
      return [404, 'NotFoundError', problem.message, {}];
    case 'too-large':
      return [413, 'PayloadTooLargeError', problem.message ?? 'Payload Too Large', {}];
    case 'unsupported-encoding':
      return [415, 'Error', `Unsupported Content-Encoding: ${cut(problem.encoding)}`];
    case 'rate-limited':
      return [429, 'RateLimitError', 'Too many requests, please try again later.', {}];
    case 'overloaded':
      return [503, 'ServiceUnavailableError', 'Service Unavailable', {}];
    case 'internal':
      return [500, 'InternalServerError', 'Internal Server Error'];
    default:
      return problem satisfies never;
  }
}

/** Returns the error envelope of Strapi 5 for each kind of problem. */
export function toErrorBody(problem: Problem): ErrorBody {
  const [status, name, message, details] = wire(problem);
  return { data: null, error: { status, name, message, ...(details && { details }) } };
}

/** Maximum characters of a text in an error; it may repeat a value of the request, which may be a megabyte. */
const MAX_TEXT = 5_000;
const END = 200;

/** Cuts the middle out of a text that is too long. */
const cut = <T>(value: T): T | string =>
  typeof value === 'string' && value.length > MAX_TEXT
    ? `${value.slice(0, MAX_TEXT - END)}…${value.slice(-END)}`
    : value;

/** Returns a 400 whose details name the offending parameter or key. */
export function invalid(message: string, details?: Readonly<Record<string, unknown>>): ApiError {
  const shown = details && Object.fromEntries(Object.entries(details).map(([key, value]) => [key, cut(value)]));
  return new ApiError({ kind: 'validation', message: cut(message), ...(shown && { details: shown }) });
}

/** Maximum number of reported issues: validation stops there. */
export const MAX_ISSUES = 1_000;
/** Maximum characters of all issues together; values that do not fit are left out, then issues. */
const MAX_ISSUE_CHARACTERS = 200_000;

/** An issue as an entry of `details.errors`. */
type IssueDetail = Issue & { readonly name: 'ValidationError' };

function issueDetails(issues: readonly Issue[]): readonly IssueDetail[] {
  const details: IssueDetail[] = [];
  let left = MAX_ISSUE_CHARACTERS;
  for (const { value, ...issue } of issues.slice(0, MAX_ISSUES)) {
    const brief: IssueDetail = { ...issue, message: cut(issue.message), name: 'ValidationError' };
    const size = JSON.stringify(brief).length;
    const valueSize = value === undefined ? 0 : JSON.stringify(value).length;
    if (size > left) break;
    const isWhole = size + valueSize <= left;
    details.push(isWhole && value !== undefined ? { ...brief, value } : brief);
    left -= isWhole ? size + valueSize : size;
  }
  return details;
}

/** Returns one 400 with all failed rules of a document, worded as Strapi words one and several. */
export function invalidDocument(issues: readonly Issue[]): ApiError {
  const message = issues.length === 1 ? (issues[0]?.message ?? '') : `${issues.length} errors occurred`;
  return invalid(message, { errors: issueDetails(issues) });
}

/** Returns the 400 for a response over a size limit. @param limit name of the setting */
export const answerTooLarge = (limit: 'answerRows' | 'answerBytes', most: number): ApiError =>
  invalid(
    `The answer has too many ${limit === 'answerRows' ? 'rows' : 'bytes'}. Expected at most ${most}: populate less, or ask for smaller pages`,
    { source: 'query', limit },
  );

export const notFound = (message = 'Not Found'): ApiError => new ApiError({ kind: 'not-found', message });
export const application = (message: string): ApiError => new ApiError({ kind: 'application', message });
export const forbidden = (): ApiError => new ApiError({ kind: 'forbidden' });
export const unauthorized = (message = 'Missing or invalid credentials'): ApiError =>
  new ApiError({ kind: 'unauthorized', message });
