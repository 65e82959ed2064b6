/**
 * @module The way from a document to the next one of the list that it was opened from.
 */

interface RememberedList {
  /** Address of the list, such as `/content/articles?sort=title`. */
  readonly address: string;
  readonly ids: readonly string[];
}

const lists = new Map<string, RememberedList>();

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
