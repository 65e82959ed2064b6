import { Marked } from 'marked';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A text without the invisible part that says where it comes from, which texts of previews have. */
export const plain = (text: string): string => text.replaceAll(/[\u200b-\u200d\ufeff]/g, '');

/** Only what a page may lead to: no `javascript:`. */
export function safeUrl(given: string | null): string {
  const url = plain(given ?? '').trim();
  return /^(https?:|mailto:|tel:|[/#?.])/i.test(url) ? url : '#';
}

// HTML in a text is shown as it was typed. Headings begin below the title of the page.
const marked = new Marked({
  walkTokens: (token) => {
    if (token.type === 'heading') token.depth = Math.max(2, token.depth);
    if (token.type === 'link' || token.type === 'image') token.href = safeUrl(token.href);
  },
  renderer: { html: ({ text }) => escaped(text) },
});

/** Returns the HTML of a rich text; none of what a draft lacks. */
export const htmlOf = (markdown: string | null): string => marked.parse(markdown ?? '', { async: false });
