/**
 * @module The script that a page in the frame gets and runs. It finds the texts with source maps, reports clicks on them, and
 * shows what is typed. The events are those of Strapi: docs/decisions/preview-events.md.
 */

export interface PreviewedDocument {
  readonly documentId: string;
  /** Missing for types that are not localized. */
  readonly locale?: string | undefined;
}

interface ScriptOptions extends PreviewedDocument {
  /** The origin of Studio. */
  readonly parentOrigin: string;
}

/** What a page may set, and what an earlier run of the script leaves. */
interface PreviewedPage {
  STRAPI_DISABLE_STEGA_DECODING?: boolean;
  STRAPI_HIGHLIGHT_HOVER_COLOR?: string;
  STRAPI_HIGHLIGHT_ACTIVE_COLOR?: string;
  __strapi_previewCleanup?: () => void;
  /** The texts that had source maps, by their elements. */
  __strapi_previewTexts?: WeakMap<Element, Text>;
}

/** Is sent as text: it uses nothing from outside of it. */
export function previewScript({ parentOrigin, documentId, locale }: ScriptOptions): void {
  const SOURCE = 'data-strapi-source';
  const FOCUSED = 'data-strapi-focused';
  const MEDIA = 'img, video, audio';
  /** Attributes that may have a source map; the last one decides. */
  const MAPPED = ['alt', 'srcset', 'src'];
  // The encoding of @vercel/stega: a prefix, and four digits for each character.
  const DIGITS = '\u200b\u200c\u200d\ufeff';
  const INVISIBLE = /\u200b{4}(?:[\u200b-\u200d\ufeff]{4})+/g;
  const page = window as typeof window & PreviewedPage;
  page.__strapi_previewCleanup?.();
  page.__strapi_previewTexts ??= new WeakMap();
  const texts = page.__strapi_previewTexts;
  const end = new AbortController();

  function sourceIn(text: string): string | undefined {
    const [payload = ''] = text.match(INVISIBLE) ?? [];
    const codes = (payload.match(/.{4}/g) ?? []).map((four) =>
      [...four].reduce((code, digit) => code * 4 + DIGITS.indexOf(digit), 0),
    );
    // The prefix is read as a zero, also that of a second payload.
    const [, json = ''] = codes
      .map((code) => String.fromCharCode(code))
      .join('')
      .split('\0');
    try {
      return String(JSON.parse(json).strapiSource);
    } catch {
      return undefined;
    }
  }

  const cleaned = (text: string): string => text.replaceAll(INVISIBLE, '');

  function markMedia(element: Element): void {
    for (const name of MAPPED) {
      const text = element.getAttribute(name) ?? '';
      const source = sourceIn(text);
      if (source === undefined) continue;
      element.setAttribute(SOURCE, source);
      element.setAttribute(name, cleaned(text));
    }
  }

  /** Moves the source map of a text into an attribute. The first text decides. */
  function mark(element: Element): void {
    if (element.matches(MEDIA)) markMedia(element);
    if (element.matches('script, style')) return;
    const all = [...element.childNodes].filter((node) => node instanceof Text);
    for (const text of all.toReversed()) {
      const source = sourceIn(text.data);
      if (source === undefined) continue;
      element.setAttribute(SOURCE, source);
      texts.set(element, text);
      text.data = cleaned(text.data);
    }
  }

  function markAll(root: Element): void {
    for (const element of [root, ...root.querySelectorAll('*')]) mark(element);
  }

  /** Returns the path of the field that an element shows, if it is one of this document. */
  function fieldOf(element: Element): string | null {
    const source = new URLSearchParams(element.getAttribute(SOURCE) ?? '');
    const isHere = source.get('documentId') === documentId && (source.get('locale') ?? locale) === locale;
    return isHere ? (source.get('fieldPath') ?? source.get('path')) : null;
  }

  /** Returns the elements that show a field, or a part of it. */
  const elementsOf = (field: string): readonly Element[] =>
    [...document.querySelectorAll(`[${SOURCE}]`)].filter((element) => `${fieldOf(element)}.`.startsWith(`${field}.`));

  function showFiles(field: string, files: readonly { readonly url?: unknown }[]): void {
    const elements = elementsOf(field).filter((element) => element.matches(MEDIA)) as HTMLMediaElement[];
    for (const [index, element] of elements.entries()) {
      const url = files[index]?.url;
      if (typeof url !== 'string') continue;
      // Of a picture with `srcset` alone, `src` is empty.
      const base = element.currentSrc || element.src || document.baseURI;
      element.removeAttribute('srcset');
      element.setAttribute('src', new URL(url, base).href);
    }
  }

  /** @param isText does the page show the value as it is? */
  function showText(field: string, value: unknown, before: unknown, isText: boolean): void {
    const shown = String(value ?? '');
    const previous = String(before ?? '');
    for (const element of elementsOf(field)) {
      const text = texts.get(element);
      if (text?.parentNode !== element) {
        if (isText) element.textContent = shown;
      } else if (previous !== '' && text.data.includes(previous)) {
        text.data = text.data.replace(previous, () => shown);
      } else if (isText) {
        text.data = shown;
      }
    }
  }

  function highlight(field?: unknown): void {
    for (const element of document.querySelectorAll(`[${FOCUSED}]`)) element.removeAttribute(FOCUSED);
    if (typeof field !== 'string') return;
    const elements = elementsOf(field);
    for (const element of elements) element.setAttribute(FOCUSED, '');
    elements[0]?.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  }

  const listening = { signal: end.signal };
  const onMessage = ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || origin !== parentOrigin) return;
    const { field, value, type, before } = data?.payload ?? {};
    if (data.type === 'strapiFieldFocus') highlight(field);
    if (data.type === 'strapiFieldBlur') highlight();
    if (data.type !== 'strapiFieldChange') return;
    // Pages render these themselves.
    if (type === 'blocks' || type === 'richtext')
      window.dispatchEvent(new CustomEvent('strapiFieldChange', { detail: { field, value } }));
    if (type === 'media') showFiles(field, [value].flat());
    else if (typeof value !== 'object' || value === null) showText(field, value, before, type !== 'richtext');
  };
  window.addEventListener('message', onMessage, listening);

  /** A click on a text of this document leads to its field; any other is one on the page. */
  const onClick = (event: Event) => {
    const element = event.target instanceof Element ? event.target.closest(`[${SOURCE}]`) : null;
    if (!element || fieldOf(element) === null) return;
    event.preventDefault();
    event.stopPropagation();
    const payload = { path: element.getAttribute(SOURCE) };
    window.parent.postMessage({ type: 'strapiFieldFocusIntent', payload }, parentOrigin);
  };
  document.addEventListener('click', onClick, { ...listening, capture: true });

  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      if (element) mark(element);
      for (const node of addedNodes) if (node instanceof Element) markAll(node);
    }
  });
  if (!page.STRAPI_DISABLE_STEGA_DECODING) {
    markAll(document.documentElement);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: MAPPED });
  }

  const styles = new CSSStyleSheet();
  styles.replaceSync(`
    [${SOURCE}]:hover { outline: 2px solid ${page.STRAPI_HIGHLIGHT_HOVER_COLOR ?? '#8ab4ff'}; cursor: pointer; }
    [${SOURCE}][${FOCUSED}] { outline: 3px solid ${page.STRAPI_HIGHLIGHT_ACTIVE_COLOR ?? '#1554c0'}; }
  `);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
  page.__strapi_previewCleanup = () => {
    end.abort();
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== styles);
  };
}
