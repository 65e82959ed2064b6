/**
 * @module Dossiers: their row → JSON, and the sections of a body → the JSON that their column holds.
 */
import { iso } from './article.ts';

export interface DossierRow {
  readonly id: number;
  readonly document_id: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly intro: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly published_at: number | null;
}

/** The published version of a dossier. */
export const DOSSIER = `select "id", "document_id", "title", "slug", "intro", "created_at", "updated_at", "published_at" from "dossiers" where "published_at" is not null and "locale" = '' and "document_id" = ?`;

export const dossierOf = (row: DossierRow) => ({
  id: row.id,
  documentId: row.document_id,
  title: row.title,
  slug: row.slug,
  intro: row.intro,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  publishedAt: iso(row.published_at),
});

export interface SectionInput {
  readonly __component: string;
  readonly [attribute: string]: unknown;
}

const newId = (): number => Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER);

function contentOf(section: SectionInput): Readonly<Record<string, unknown>> | undefined {
  const { body, text, source = null, caption = null, image } = section;
  switch (section.__component) {
    case 'shared.prose':
      return typeof body === 'string' ? { body } : undefined;
    case 'shared.quote':
      return typeof text === 'string' ? { text, source } : undefined;
    case 'shared.picture':
      return { caption, image: image ? [{ documentId: image, locale: '' }] : [] };
    default:
      return undefined;
  }
}

/** What the column holds, or undefined when a section is of no known kind or lacks something. */
export function storedSections(sections: readonly SectionInput[]): string | undefined {
  const contents = sections.map(contentOf);
  if (contents.includes(undefined)) return undefined;
  const stored = contents.map((content, index) => ({
    id: newId(),
    ...content,
    __component: sections[index]?.__component,
  }));
  return JSON.stringify(stored);
}
