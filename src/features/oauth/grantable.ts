/**
 * @module What a user can let a client do: by content type, as far as their own rights go.
 */
import { delegated, LEVELS, type Level } from '../../access/delegation.ts';
import { type Action, actionId, effective, type Grants, isDraftsOnly } from '../../access/grants.ts';
import type { ContentType, Registry } from '../../schema/model.ts';

const WRITES: readonly Action[] = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft', 'restore'];

const ACTIONS: Readonly<Record<Level, readonly Action[]>> = {
  read: ['find', 'findOne'],
  drafts: ['create', 'update', 'delete', 'discardDraft', 'restore'],
  write: WRITES,
};

/** A content type, with the levels that make a difference for it. */
export interface GrantableType {
  readonly uid: string;
  /** That of its path. */
  readonly name: string;
  readonly displayName: string;
  readonly levels: readonly Level[];
}

const nameOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

/** Returns the types that a client could get some right to. @param levels those that it asks for */
export function grantableTypes(grants: Grants, registry: Registry, levels: readonly Level[]): readonly GrantableType[] {
  const parts = LEVELS.filter((level) => levels.includes(level)).map(
    (level) => [level, effective(delegated(grants, { level, types: null }), registry)] as const,
  );
  const has = ({ uid }: ContentType, level: Level, part: Grants): boolean =>
    ACTIONS[level].some((action) => {
      const id = actionId(uid, action);
      return part.allows(id) && (level !== 'write' || !isDraftsOnly(part, id));
    });
  return [...registry.routes.values()]
    .filter(({ system }) => !system)
    .map((type) => ({
      ...{ uid: type.uid, name: nameOf(type), displayName: type.displayName },
      levels: parts.filter(([level, part]) => has(type, level, part)).map(([level]) => level),
    }))
    .filter((type) => type.levels.length > 0);
}
