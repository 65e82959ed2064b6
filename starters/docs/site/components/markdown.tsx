/**
 * @module Renders the Markdown of a page on the server. HTML in it is shown as text, so that an editor can write no script.
 */
import Link from 'next/link';
import Markdown, { type Components } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import type { UploadFile } from '../../types/content-types';
import { collectHeadings, type Heading } from '../lib/headings';
import { plain } from '../lib/source-maps';
import { type Locale, TEXTS } from '../lib/texts';
import { Picture } from './picture';

interface Options {
  readonly locale: Locale;
  /** The pictures of the page, which its Markdown names by their file names. */
  readonly pictures: readonly UploadFile<'draft' | 'published'>[];
}

const isSlug = (href: string): boolean => /^[a-z0-9][\w-]*(#.*)?$/i.test(href);

function componentsOf({ locale, pictures }: Options): Components {
  return {
    // A link to a page is its slug: [Run it](run).
    a: ({ href = '', children }) =>
      isSlug(href) ? <Link href={`/${locale}/${href}`}>{children}</Link> : <a href={href}>{children}</a>,
    img: ({ src, alt = '' }) => {
      const file = pictures.find(({ name }) => plain(name) === src);
      return file ? <Picture file={file} alt={alt} /> : <img src={String(src)} alt={alt} />;
    },
    // A task of a list.
    input: ({ checked }) => (
      <input
        type="checkbox"
        checked={checked}
        disabled
        aria-label={checked ? TEXTS[locale].done : TEXTS[locale].open}
      />
    ),
    // What is wider than a phone scrolls, also by keyboard.
    pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
    table: ({ children }) => (
      <div className="table" tabIndex={0}>
        <table>{children}</table>
      </div>
    ),
  };
}

/** Returns the text as elements, and its headings. */
export function renderMarkdown(text: string, options: Options) {
  const headings: Heading[] = [];
  const body = Markdown({
    children: text,
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeSlug, [rehypeHighlight, { detect: false }], [collectHeadings, headings]],
    components: componentsOf(options),
  });
  return { body, headings };
}
