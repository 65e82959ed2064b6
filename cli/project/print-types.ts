/**
 * @module Pieces of TypeScript as text.
 */

export type Member = Readonly<{ name: string; optional?: boolean; type: string }>;

/** Returns a text as a literal type. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /['\\]/.test(json) ? json : `'${json.slice(1, -1)}'`;
}

/** Returns the type of a list of these. */
export const listOf = (type: string): string => (/^\w+(<\w+>)?$/.test(type) ? `${type}[]` : `(${type})[]`);

/** Returns a name as the key of a member. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** Returns members on one line. */
export const membersOf = (members: readonly Member[]): string =>
  members.map(({ name, optional, type }) => `${keyOf(name)}${optional ? '?' : ''}: ${type}`).join('; ');

/** Returns an exported interface with its comment. */
export function printInterface(doc: string, head: string, members: readonly Member[]): string {
  const lines = members.map((member) => `  ${membersOf([member])};`);
  // A comment that its text cannot end.
  const comment = `/** ${doc.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */`;
  return [comment, `export interface ${head} {`, ...lines, '}'].join('\n');
}
