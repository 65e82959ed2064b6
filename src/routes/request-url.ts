/**
 * @module The address of a request, parsed once: it costs more than most of what is done with it.
 */

const parsed = new WeakMap<Request, URL>();

/** Shared by all who ask: it is not to be changed. */
export function urlOf(request: Request): Readonly<URL> {
  const known = parsed.get(request) ?? new URL(request.url);
  parsed.set(request, known);
  return known;
}
