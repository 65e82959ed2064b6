/**
 * @module How deep the text of a JSON value is nested. No value is built, for code that walks one runs out of stack.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Of the quote that ends a string; what is escaped is passed over. */
function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

/** Lists and objects inside one another, at most; of text that is no JSON whatever it looks like. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    // Brackets and braces differ in one bit: [ { and ] }
    else if ((code | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((code | 0x20) === 0x7d) depth -= 1;
  }
  return deepest;
}
