/**
 * @module The way from a document to the next one of the list that it was opened from.
 */

/** By the segment of the content type: the address of the list, such as `/content/articles?sort=title`. */
const lists = new Map<string, { readonly address: string; readonly ids: readonly string[] }>();

/** Called by a list for each page that it shows. */
export function rememberList(segment: string, address: string, ids: readonly string[]): void {
  lists.set(segment, { address, ids });
}

export function neighboursOf(segment: string, documentId: string | undefined) {
  const { address = `/content/${segment}`, ids = [] } = lists.get(segment) ?? {};
  const index = documentId === undefined ? -1 : ids.indexOf(documentId);
  const at = (position: number) => (index < 0 ? undefined : ids[position]);
  return { address, previous: index > 0 ? at(index - 1) : undefined, next: at(index + 1) };
}
