/**
 * @module `POST …/actions/preview-link` as HTTP.
 */
import { invalid } from '../../common/errors.ts';
import { parseFixedBody } from '../../content/request/body.ts';
import { secretOf } from '../../http/context.ts';
import type { ActionHandler } from '../../http/deployment.ts';
import { requestBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import type { PreviewedDocument } from '../own-code/extension-types.ts';
import { settled } from '../own-code/hooks.ts';
import { PREVIEW_BODY } from './preview-body.ts';
import { previewLink } from './preview-link.ts';

/** @throws ApiError 400 for an unknown key, and for a time that is too long */
function lifetimeOf(body: unknown, { preview }: Settings): number {
  const { data: parsed, success } = PREVIEW_BODY.safeParse(body);
  if (!success) throw invalid('Invalid body. Expected {"data": {"expiresIn": "30m"}}', { source: 'body' });
  const max = preview?.maxExpiresIn ?? '1d';
  const seconds = secondsOf(parsed.data?.expiresIn ?? preview?.expiresIn ?? max);
  if (seconds <= secondsOf(max)) return seconds;
  throw invalid(`Invalid data.expiresIn. Expected at most ${max}`, { source: 'body', param: 'data.expiresIn' });
}

export const respondPreviewLink: ActionHandler = async (context, call, { extensions }) => {
  const { text, contentType } = await requestBody(context);
  const { settings } = call;
  const lifetime = () => lifetimeOf(parseFixedBody(text, contentType, settings.api.rest.limits), settings);
  const own = extensions?.preview;
  const urlOf = own && ((uid: string, of: PreviewedDocument) => settled('preview', async () => own(uid, of)));
  const data = await previewLink(call, { secret: secretOf(context), lifetime, urlOf });
  return respond(context, { data, meta: {} });
};
