/**
 * @module Links of components → links of an archive, which join the component's row with a row of the other type.
 */
import type { MediaAttribute, RelationAttribute } from '../../registry/model.ts';
import { FILE_UID } from '../../registry/system-types.ts';
import type { Status } from '../../request/query-params.ts';
import { mediaLink, relationLink } from './link-lines.ts';
import type { EntityContext } from './row-index.ts';

/** The version that a component stands in. */
export interface Owner {
  readonly locale: string;
  readonly status: Status;
  readonly drafts: boolean;
}

interface Inner {
  readonly uid: string;
  readonly id: number;
  readonly attribute: MediaAttribute | RelationAttribute;
  readonly links: unknown;
  readonly owner: Owner;
}

interface Named {
  readonly documentId: string;
  readonly locale?: string;
}

/** The rows that a link stands for: a type without drafts links to both versions of another. */
function rowsOf(target: string, { documentId, locale }: Named, owner: Owner, context: EntityContext) {
  const type = context.registry.contentTypes.get(target);
  const named = type?.localized ? locale || owner.locale : '';
  const statuses: readonly Status[] = !type?.draftAndPublish
    ? ['published']
    : owner.drafts
      ? [owner.status]
      : ['draft', 'published'];
  return statuses.flatMap((status) => context.index.find(target, documentId, named, status) ?? []);
}

/** Keeps what a relation or media attribute of a component leads to. */
export function keepInnerLinks({ uid, id, attribute, links, owner }: Inner, context: EntityContext): void {
  if (!Array.isArray(links)) return;
  const target = attribute.kind === 'media' ? FILE_UID : attribute.target;
  for (const [place, link] of (links as readonly Named[]).entries())
    for (const row of rowsOf(target, link, owner, context)) {
      const end = { type: uid, field: attribute.name, ref: id, pos: place + 1 };
      context.index.keep(
        attribute.kind === 'media'
          ? mediaLink(row, end)
          : relationLink(attribute, end, { type: target, ref: row, pos: place + 1 }),
      );
    }
}
