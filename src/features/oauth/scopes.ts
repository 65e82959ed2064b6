/**
 * @module Scopes: `content:read`, `content:drafts` and `content:write`, each with those before it.
 */
import { LEVELS, type Level } from '../../access/delegation.ts';

const PREFIX = 'content:';

const scopeOf = (level: Level): string => `${PREFIX}${level}`;

export const SCOPES: readonly string[] = LEVELS.map(scopeOf);

/** Returns a level and those that it has in it. */
const upTo = (level: Level | undefined): readonly Level[] => (level ? LEVELS.slice(0, LEVELS.indexOf(level) + 1) : []);

/** The scopes of a token. */
export const scopesOf = (level: Level): string => upTo(level).map(scopeOf).join(' ');

/**
 * Returns the levels that a request asks for: without a scope all, and none if it has only unknown ones
 * (https://www.rfc-editor.org/rfc/rfc6749#section-3.3).
 */
export function requestedLevels(scope: string | undefined): readonly Level[] {
  const sent = (scope ?? '').split(' ').filter((each) => each !== '');
  return sent.length === 0 ? LEVELS : upTo(LEVELS.findLast((level) => sent.includes(scopeOf(level))));
}
