/**
 * @module Styles of screens that are not loaded at the start: they come with the code.
 */

const added = new Set<string>();

/** Adds them once, whichever module comes first. */
export function addStyles(styles: string): void {
  if (added.has(styles)) return;
  added.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
