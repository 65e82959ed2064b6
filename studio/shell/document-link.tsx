/**
 * @module Links to documents, their states, and the way to the next one of a list.
 */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { onOtherPerson } from '../api/session.ts';
import { type ContentType, type Document, screenOf, titleOf, type Values } from '../model/model.ts';
import { type Text, text } from '../texts/text.ts';
import { useModel } from './model.ts';

interface DocumentLinkProps {
  /** Undefined where the caller may not see it. */
  readonly type: ContentType | undefined;
  /** With `documentId`, and `locale` where it has one. */
  readonly document: Values;
  readonly className?: string;
  /** By default the title of the document. */
  readonly children?: ReactNode;
}

/** Leads to the document where the caller may open it; users, roles and files have no screen. */
export function DocumentLink({ type, document, className, children = titleOf(type, document) }: DocumentLinkProps) {
  const { documentId, locale } = document;
  const reads = type?.kind === 'singleType' ? 'find' : 'findOne';
  if (!type || type.isSystem || ![reads, 'update'].some((action) => type.actions.has(action))) return children;
  return (
    <Link className={className} to={screenOf(type, String(documentId), locale as string | null)}>
      {children}
    </Link>
  );
}

/** A link to a document, with its type and its locale. A document of a single type may have no id. */
export function DocumentLine({ uid, document }: { readonly uid: string; readonly document: Values }) {
  const type = useModel().types.get(uid);
  return (
    <>
      <DocumentLink type={type} document={document}>
        {document.documentId === null ? type?.name : undefined}
      </DocumentLink>{' '}
      <span className="muted">{[type?.name ?? uid, document.locale].filter(Boolean).join(' · ')}</span>
    </>
  );
}

/** Whether a document is a draft, published, or changed since its publication. */
export type State = 'draft' | 'published' | 'modified';

/** @param published the published version in the same locale */
export function stateOf(draft: Document, published: Document | null): State {
  if (!published) return 'draft';
  return (draft.updatedAt ?? '') > (published.updatedAt ?? '') ? 'modified' : 'published';
}

const LOOKS = { draft: 'accent', published: 'good', modified: 'warn' } as const;

export const STATE_NAMES: Readonly<Record<State, Text>> = {
  draft: 'Draft',
  modified: 'Modified',
  published: 'Published',
};

export const StateBadge = ({ state }: { readonly state: State }) => (
  <span className={`badge ${LOOKS[state]}`}>{text(STATE_NAMES[state])}</span>
);

/** As wide as a state that is not known yet. */
export const StatePlace = () => (
  <span className="badge place" aria-hidden="true">
    {text('Published')}
  </span>
);

/** A row of a list. */
type Row = Pick<Document, 'documentId' | 'locale'>;

/** By the segment of the content type: the address of the list, such as `/content/articles?sort=title`. */
const lists = new Map<string, { readonly address: string; readonly rows: readonly Row[] }>();

onOtherPerson(() => lists.clear());

/** Called by a list for each page that it shows. */
export function rememberList(segment: string, address: string, rows: readonly Row[]): void {
  lists.set(segment, { address, rows });
}

/** Returns the list that was shown last, and its rows beside a document. A list of all locales has several of one. */
export function neighboursOf(segment: string, current: Row | null) {
  const { address = `/content/${segment}`, rows = [] } = lists.get(segment) ?? {};
  const isCurrent = ({ documentId }: Row) => documentId === current?.documentId;
  const here = rows.find((row) => isCurrent(row) && row.locale === current?.locale) ?? rows.find(isCurrent);
  const index = here ? rows.indexOf(here) : Number.NaN;
  return { address, previous: rows[index - 1], next: rows[index + 1] };
}
