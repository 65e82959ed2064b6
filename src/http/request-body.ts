/**
 * @module The body of a request as text, with its content type.
 */
import type { Context } from 'hono';
import { unsupportedEncoding } from '../common/errors.ts';

const decoder = new TextDecoder();

const MULTIPART = /^multipart\//i;
const FORM = 'application/x-www-form-urlencoded';

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
export async function requestBody(context: Context): Promise<{ readonly text: string; readonly contentType: string }> {
  const contentType = context.req.header('content-type') ?? '';
  if (MULTIPART.test(contentType)) return multipartBody(context, contentType);
  return { text: decoder.decode(await context.req.arrayBuffer()), contentType };
}

/** @throws ApiError 415 for a compressed body */
export function rejectEncodedBody({ req }: Context): void {
  const encoding = req.header('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') throw unsupportedEncoding(encoding);
}
