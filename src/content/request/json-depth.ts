/**
 * @module Measures how deep a JSON text is nested, without building a value: code that walks one may run out of stack.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

/** Returns the maximum depth of lists and objects; any number for a text that is not JSON. */
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
