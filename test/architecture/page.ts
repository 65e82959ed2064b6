/**
 * @module The table of import rules, as `docs/architecture.md` shows it.
 */
import { RULES } from './rules.ts';

export const rulesTable = (): string =>
  [
    '| module | may import |',
    '| --- | --- |',
    ...Object.entries(RULES).map(([room, { shown = '' }]) => `| \`${room}\` | ${shown} |`),
    '',
  ].join('\n');
