/**
 * @module Delegation: a user lets a client act in their name, with a part of their rights.
 */
import { AGENT_READS, AGENT_WRITES, DRAFTS_ONLY, type Grants } from './grants.ts';
import type { Rule } from './rule.ts';

/** Each has what the one before has: reading, writing drafts, and all that the user may do with content. */
export const LEVELS = ['read', 'drafts', 'write'] as const;
export type Level = (typeof LEVELS)[number];

export const isLevel = (value: unknown): value is Level => LEVELS.some((level) => level === value);

export interface Delegation {
  readonly level: Level;
  /** The uids of content types; null for all. */
  readonly types: readonly string[] | null;
}

const CONTENT = /^api::/;
const isRead = (id: string): boolean => AGENT_READS.test(id);
const isWrite = (id: string): boolean => AGENT_WRITES.test(id);

/** No level has actions of accounts. */
const ALLOWED: Readonly<Record<Level, (id: string) => boolean>> = {
  read: isRead,
  drafts: (id) => isRead(id) || isWrite(id),
  write: (id) => isRead(id) || isWrite(id) || CONTENT.test(id),
};

const draftsOnly = (rule: Rule | undefined): Rule =>
  rule ? { ...rule, status: 'draft', key: `${DRAFTS_ONLY.key} ${rule.key}` } : DRAFTS_ONLY;

/** Returns the part of a user's grants. Files are of no type: the user's rights to the media library stay. */
export function delegated(grants: Grants, { level, types }: Delegation): Grants {
  const isOfType = (id: string) =>
    types === null || !CONTENT.test(id) || types.includes(id.slice(0, id.lastIndexOf('.')));
  const allows = (id: string) => ALLOWED[level](id) && isOfType(id) && grants.allows(id);
  if (level !== 'drafts') return { ...grants, allows };
  return { ...grants, allows, rule: (id) => (isWrite(id) ? draftsOnly(grants.rule?.(id)) : grants.rule?.(id)) };
}
