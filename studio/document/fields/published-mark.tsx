/**
 * @module Whether a target is published.
 */

interface PublishedMarkProps {
  /** Missing where the type has no drafts, or where only published documents are shown. */
  readonly published: ReadonlySet<string> | undefined;
  readonly documentId: string;
}

export function PublishedMark({ published, documentId }: PublishedMarkProps) {
  if (!published) return null;
  const isPublished = published.has(documentId);
  return <span className={`badge ${isPublished ? 'good' : 'warn'}`}>{isPublished ? 'Published' : 'Draft'}</span>;
}
