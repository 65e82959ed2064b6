/**
 * @module The plugins that `config/plugins.{js,ts}` of a Strapi project names. The file is code, so it is read as text
 * and never run.
 */

/** What may stand before the object that the file exports. */
const BEGINNING = /(?:=>\s*\(\s*|module\.exports\s*=\s*|export\s+default\s*|return\s*\(?\s*)(?=\{)/;
/** Comments, texts, and characters. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[\w$]+|\S/g;

/** Keys of the object that the text begins with. */
function keysOf(text: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if ('{[('.includes(token)) depth += 1;
    else if ('}])'.includes(token)) depth -= 1;
    else if (token === ':' && depth === 1) keys.push(last.replaceAll(/^['"`]|['"`]$/g, ''));
    if (depth === 0) break;
    last = token;
  }
  return keys.filter((key) => /^[\w-]+$/.test(key));
}

/** Names of plugins; none where the file has another form. */
export function pluginNames(text: string): readonly string[] {
  const found = BEGINNING.exec(text);
  return found ? keysOf(text.slice(found.index + found[0].length)) : [];
}
