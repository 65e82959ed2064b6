/**
 * @module The errors of requests, and their form in a response. Imports no other module of the project.
 */

/** One failed rule of a document: path as texts (also for list indices), and the value the rule saw. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly value?: unknown;
}

type Details = Readonly<Record<string, unknown>>;

type Worded =
  | 'pagination'
  | 'application'
  | 'zone'
  | 'syntax'
  | 'bad-path'
  | 'bad-request'
  | 'unauthorized'
  | 'not-found';

export type Problem =
  | { readonly kind: 'validation'; readonly message: string; readonly details?: Details }
  | { readonly kind: Worded | 'unsupported-encoding'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message?: string }
  | { readonly kind: 'rate-limited' | 'overloaded'; readonly retryAfter: number }
  | { readonly kind: 'forbidden' | 'internal' };

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
    readonly details?: Details;
  };
}

type ProblemResponse = readonly [status: number, name: string, message: string, details?: Details];

/** Strapi's response to each kind of problem, with the message of those without one of their own. */
const RESPONSES: Readonly<Record<Problem['kind'], ProblemResponse>> = {
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
  'too-large': [413, 'PayloadTooLargeError', 'Payload Too Large', {}],
  'unsupported-encoding': [415, 'Error', ''],
  'rate-limited': [429, 'RateLimitError', 'Too many requests, please try again later.', {}],
  overloaded: [503, 'ServiceUnavailableError', 'Service Unavailable', {}],
  internal: [500, 'InternalServerError', 'Internal Server Error'],
};

/** Returns the error envelope of Strapi 5 for each kind of problem. */
export function toErrorBody(problem: Problem): ErrorBody {
  const [status, name, usual, empty] = RESPONSES[problem.kind];
  const message = ('message' in problem ? problem.message : undefined) ?? usual;
  const details = ('details' in problem ? problem.details : undefined) ?? empty;
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
export function invalid(message: string, details?: Details): ApiError {
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
/** Returns the 415 for a `Content-Encoding`. */
export const unsupportedEncoding = (encoding: string): ApiError =>
  new ApiError({ kind: 'unsupported-encoding', message: `Unsupported Content-Encoding: ${cut(encoding)}` });
export const application = (message: string): ApiError => new ApiError({ kind: 'application', message });
export const forbidden = (): ApiError => new ApiError({ kind: 'forbidden' });
export const unauthorized = (message = 'Missing or invalid credentials'): ApiError =>
  new ApiError({ kind: 'unauthorized', message });
