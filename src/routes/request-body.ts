/**
 * @module The body of a request as text, with its content type.
 */
import type { Context } from 'hono';
import { unsupportedEncoding } from '../errors.ts';

export interface RequestBody {
  readonly text: string;
  readonly contentType: string;
}

const decoder = new TextDecoder();

const MULTIPART = /^multipart\//i;
const FORM = 'application/x-www-form-urlencoded';

/** The fields of a multipart form as the other kind of form. Files are left out, as in Strapi. */
async function multipartBody({ req }: Context, contentType: string): Promise<RequestBody> {
  try {
    const fields = [...(await req.raw.formData())].filter(
      (field): field is [string, string] => !(field[1] instanceof File),
    );
    return { text: new URLSearchParams(fields).toString(), contentType: FORM };
  } catch {
    // The type alone: the credential is checked before the body is rejected.
    return { text: '', contentType };
  }
}

/** Text is UTF-8, whatever the content type says; `text()` of the platform warns of every form. */
export async function requestBody(context: Context): Promise<RequestBody> {
  const contentType = context.req.header('content-type') ?? '';
  if (MULTIPART.test(contentType)) return multipartBody(context, contentType);
  return { text: decoder.decode(await context.req.arrayBuffer()), contentType };
}

/** @throws ApiError 415 for a compressed body: it is not unpacked. */
export function rejectEncodedBody({ req }: Context): void {
  const encoding = req.header('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') throw unsupportedEncoding(encoding);
}
