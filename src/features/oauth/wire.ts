/**
 * @module Requests and errors of the endpoints for clients, as RFC 6749 has them: forms, and JSON that no path of the server
 * leaves, not even where it fails.
 */
import { ApiError, isProblem } from '../../common/errors.ts';
import type { AppContext } from '../../http/context.ts';
import { report } from '../../http/report.ts';
import { requestBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';

type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable';

/** An error for the client. */
export class WireError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  constructor(code: ErrorCode, description: string, status = 400) {
    super(description);
    this.code = code;
    this.status = status;
  }
}

/** The parameters of a form; each may be there once (https://www.rfc-editor.org/rfc/rfc6749#section-3.2). */
export type Form = (name: string) => string | undefined;

const FORM = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/** @throws WireError for another content type, and when a parameter is read that is there twice */
export async function formOf(context: AppContext): Promise<Form> {
  const { text, contentType } = await requestBody(context);
  if (!FORM.test(contentType))
    throw new WireError('invalid_request', 'Expected Content-Type: application/x-www-form-urlencoded');
  const sent = new URLSearchParams(text);
  return (name) => {
    const [value, ...more] = sent.getAll(name);
    if (more.length > 0) throw new WireError('invalid_request', `${name} is there twice`);
    return value === '' ? undefined : value;
  };
}

/** @throws WireError without the parameter */
export function required(form: Form, name: string): string {
  const value = form(name);
  if (value === undefined) throw new WireError('invalid_request', `${name} is missing`);
  return value;
}

function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireError) return error;
  if (isProblem(error, 'unauthorized')) return new WireError('invalid_client', 'Expected no header Authorization', 401);
  if (isProblem(error, 'rate-limited')) return new WireError('temporarily_unavailable', 'Too many requests', 429);
  return new WireError('temporarily_unavailable', 'The server cannot do this now', 503);
}

/** Runs the work of an endpoint; no cache keeps what it returns. */
export async function answered(context: AppContext, work: () => Promise<Response>): Promise<Response> {
  context.header('cache-control', 'no-store');
  try {
    return await work();
  } catch (error) {
    const { code, message, status } = wireErrorOf(error);
    if (status === 503) report(error, context);
    const { retryAfter } = error instanceof ApiError ? error.problem : {};
    if (retryAfter !== undefined) context.header('retry-after', String(retryAfter));
    return respond(context, { error: code, error_description: message }, status);
  }
}
