/**
 * @module What a deletion deletes: versions, locales, and links of other documents.
 */
import type { ContentType, Document } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Uses } from '../shell/uses.tsx';
import { mayRestore } from './revisions.ts';

interface DeletionProps {
  readonly type: ContentType;
  readonly document: Document;
  /** Codes of the locales to delete; one that is empty for a type without locales. */
  readonly codes: readonly string[];
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
  /** Whether there is a published version in the only locale to delete. */
  readonly isPublished: boolean;
}

export function Deletion({ type, document, codes, locales, isPublished }: DeletionProps) {
  const model = useModel();
  const named = (list: readonly string[]) => list.map((code) => model.locales[code] ?? code).join(', ');
  const versions = isPublished ? 'The draft and the published version are' : 'The draft, which is not published, is';
  const several = 'All drafts and published versions are';
  const what = type.hasDrafts ? (codes.length > 1 ? several : versions) : 'The document is';
  const staying = locales.filter((code) => !codes.includes(code));
  return (
    <>
      <p>
        {what} deleted{type.isLocalized && `: ${named(codes)}`}.
        {staying.length > 0 && ` It stays in: ${named(staying)}.`}
        {mayRestore(type, true) ? ' Its history brings it back.' : ' This cannot be taken back.'}
      </p>
      <Uses uid={type.uid} documentId={document.documentId} />
    </>
  );
}
