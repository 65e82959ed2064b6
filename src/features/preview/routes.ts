/**
 * @module `POST …/actions/preview-link` as HTTP.
 */
import * as z from 'zod/mini';
import { invalid } from '../../common/errors.ts';
import { secretOf } from '../../http/context.ts';
import type { ActionHandler } from '../../http/deployment.ts';
import { requestBody, validBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import type { PreviewedDocument } from '../own-code/extension-types.ts';
import { settled } from '../own-code/hooks.ts';
import { previewLink } from './preview-link.ts';

/** A duration that is short enough for a date. */
const EXPIRES_IN = /^[1-9]\d{0,8}[smhd]$/;

const error = 'a duration such as 30m';

/** An empty body is `{}`; `expiresIn` is a duration such as `30m`. */
const expiresIn = z.string({ error }).check(z.regex(EXPIRES_IN, { error }));
export const PREVIEW_BODY = z.strictObject({
  data: z.optional(z.strictObject({ expiresIn: z.optional(expiresIn) }, { error: 'an object' })),
});

/** @throws ApiError 400 for a time that is too long */
function lifetimeOf(expiresIn: string | undefined, { preview }: Settings): number {
  const max = preview?.maxExpiresIn ?? '1d';
  const seconds = secondsOf(expiresIn ?? preview?.expiresIn ?? max);
  if (seconds <= secondsOf(max)) return seconds;
  throw invalid(`Invalid data.expiresIn. Expected at most ${max}`, { source: 'body', param: 'data.expiresIn' });
}

export const respondPreviewLink: ActionHandler = async (context, call, { extensions }) => {
  const body = await requestBody(context);
  const { settings } = call;
  const lifetime = () => lifetimeOf(validBody(body, PREVIEW_BODY, settings).data?.expiresIn, settings);
  const own = extensions?.preview;
  const urlOf = own && ((uid: string, of: PreviewedDocument) => settled('preview', async () => own(uid, of)));
  const data = await previewLink(call, { secret: secretOf(context), lifetime, urlOf });
  return respond(context, { data, meta: {} });
};
