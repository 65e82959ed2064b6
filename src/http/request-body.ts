/**
 * @module The body of a request as text, with its content type, and bodies of a fixed form.
 */
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { type ApiError, invalid, unsupportedEncoding } from '../common/errors.ts';
import { parseFixedBody } from '../content/request/body.ts';
import type { Settings } from '../schema/settings/config.ts';

const decoder = new TextDecoder();

const MULTIPART = /^multipart\//i;
const FORM = 'application/x-www-form-urlencoded';

export interface BodyText {
  readonly text: string;
  readonly contentType: string;
}

/** Returns the fields as a URL-encoded form; ignores files, as Strapi does. */
async function multipartBody({ req }: Context, contentType: string) {
  try {
    const fields = [...(await req.raw.formData())].filter(
      (field): field is [string, string] => !(field[1] instanceof File),
    );
    return { text: new URLSearchParams(fields).toString(), contentType: FORM };
  } catch {
    // Keeps the type, by which the parser rejects the body after the credential was checked.
    return { text: '', contentType };
  }
}

/** Reads UTF-8, whatever the content type says; the platform's `text()` logs a warning for forms. */
export async function requestBody(context: Context): Promise<BodyText> {
  const contentType = context.req.header('content-type') ?? '';
  if (MULTIPART.test(contentType)) return multipartBody(context, contentType);
  return { text: decoder.decode(await context.req.arrayBuffer()), contentType };
}

/** Returns the error of an issue, whose message is what was expected. */
function rejectionOf(issue: z.core.$ZodIssue): ApiError {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const at = issue.path.join('.');
  const param = [...issue.path, ...(key === undefined ? [] : [key])].join('.');
  if (key !== undefined) return invalid(`Invalid key ${param}`, { key, path: at || null, source: 'body', param });
  if (param === '') return invalid('Expected a JSON object', { source: 'body' });
  return invalid(`Invalid ${param}. Expected ${issue.message}`, { source: 'body', param });
}

/** Validates a body of a fixed form; an empty one is `{}`. @throws ApiError 400 for its first issue */
export function validBody<S extends z.ZodMiniType>(
  { text, contentType }: BodyText,
  schema: S,
  { api }: Settings,
): z.output<S> {
  const { data, error } = schema.safeParse(parseFixedBody(text, contentType, api.rest.limits));
  const [issue] = error?.issues ?? [];
  if (issue) throw rejectionOf(issue);
  return data as z.output<S>;
}

/** @throws ApiError 415 for a compressed body */
export function rejectEncodedBody({ req }: Context): void {
  const encoding = req.header('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') throw unsupportedEncoding(encoding);
}
