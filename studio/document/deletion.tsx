/**
 * @module What a deletion deletes: versions, locales, and links of other documents.
 */
import type { ContentType, Document } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Uses } from '../shell/uses.tsx';
import { text } from '../texts/text.ts';
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
  const versions = isPublished
    ? text('The draft and the published version are deleted')
    : text('The draft, which is not published, is deleted');
  const several = text('All drafts and published versions are deleted');
  const what = type.hasDrafts ? (codes.length > 1 ? several : versions) : text('The document is deleted');
  const staying = locales.filter((code) => !codes.includes(code));
  return (
    <>
      <p>
        {what}
        {type.isLocalized && `: ${named(codes)}`}.
        {staying.length > 0 && ` ${text('It stays in: {locales}.', { locales: named(staying) })}`}{' '}
        {mayRestore(type, true) ? text('You can restore it from its history.') : text('This cannot be taken back.')}
      </p>
      <Uses uid={type.uid} documentId={document.documentId} />
    </>
  );
}
