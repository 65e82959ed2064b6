import { Marked } from 'marked';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Only what a page may lead to: no `javascript:`. */
export const safeUrl = (url: string): string => (/^(https?:|mailto:|tel:|[/#?.])/i.test(url.trim()) ? url : '#');

// HTML in a text is shown as it was typed. Headings begin below the title of the page.
const marked = new Marked({
  walkTokens: (token) => {
    if (token.type === 'heading') token.depth = Math.max(2, token.depth);
    if (token.type === 'link' || token.type === 'image') token.href = safeUrl(token.href);
  },
  renderer: { html: ({ text }) => escaped(text) },
});

/** Returns the HTML of a rich text. */
export const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });
