/**
 * @module The body of an action of publication.
 */
import type * as z from 'zod/mini';
import { type ApiError, invalid } from '../common/errors.ts';
import { PUBLICATION_BODY, type PublicationBody } from '../registry/publication.ts';
import { parseFixedBody } from '../request/body.ts';
import type { Limits } from '../settings/config.ts';
import type { AppContext } from './context.ts';
import { requestBody } from './request-body.ts';

function rejectionOf(issue: z.core.$ZodIssue): ApiError {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    const param = path.join('.');
    const expected = param === 'data.at' ? 'a time such as 2027-01-01T09:00:00Z' : 'an object';
    return invalid(param === '' ? 'Expected a JSON object' : `Invalid ${param}. Expected ${expected}`, {
      source: 'body',
      ...(param !== '' && { param }),
    });
  }
  const [key = ''] = issue.keys;
  const param = [...path, key].join('.');
  return invalid(`Invalid key ${param}`, { key, path: path.join('.') || null, source: 'body', param });
}

/** @throws ApiError 400 for an unknown key or a wrong value */
export async function publicationBody(context: AppContext, limits: Limits): Promise<PublicationBody> {
  const { text, contentType } = await requestBody(context);
  const { data = {}, error } = PUBLICATION_BODY.safeParse(parseFixedBody(text, contentType, limits));
  const [issue] = error?.issues ?? [];
  if (issue) throw rejectionOf(issue);
  return data;
}
