/**
 * @module The type of the parser of `qs`: the package itself brings 5 KB that write query strings.
 */
declare module 'qs/lib/parse.js' {
  const parse: typeof import('qs').parse;
  export default parse;
}
