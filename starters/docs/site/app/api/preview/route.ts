/**
 * @module Opens a preview: keeps the token of the link in a cookie, and leads to the page.
 */
import { cookies, draftMode } from 'next/headers';
import { redirect } from 'next/navigation';
import { PREVIEW_COOKIE } from '../../../lib/preview';

export async function GET(request: Request): Promise<never> {
  const { searchParams } = new URL(request.url);
  const value = (name: string) => searchParams.get(name) ?? '';
  const options = { httpOnly: true, secure: true, sameSite: 'none', path: '/', maxAge: 3600 } as const;
  (await cookies()).set(PREVIEW_COOKIE, value('token'), options);
  const draft = await draftMode();
  if (value('status') === 'draft') draft.enable();
  else draft.disable();
  redirect(`/${encodeURIComponent(value('locale'))}/${encodeURIComponent(value('slug'))}`);
}
