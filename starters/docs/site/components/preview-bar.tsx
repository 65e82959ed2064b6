/**
 * @module What a reader sees of a preview: that it is one, and how to leave it.
 */
import { API_URL } from '../lib/addresses';
import { type Locale, TEXTS } from '../lib/texts';
import { PreviewEvents } from './preview-events';

export function PreviewBar({ locale }: { readonly locale: Locale }) {
  const texts = TEXTS[locale];
  return (
    <form className="preview" action="/api/preview/leave" method="post">
      <PreviewEvents studio={new URL(API_URL).origin} />
      <p>{texts.preview}</p>
      <button type="submit">{texts.endPreview}</button>
    </form>
  );
}
