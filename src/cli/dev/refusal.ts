/**
 * @module Why a save is not served, and the command that makes the change.
 */

import { UserError } from '../core/terminal.ts';
import type { Layout } from '../migrations/layout.ts';
import { type CountedLoss, lossTexts } from '../migrations/losses.ts';
import { renameHints } from '../project/rename-hints.ts';

interface Refused {
  /** Stored content that would go. */
  readonly lost: readonly CountedLoss[];
  /** Stored content that would take another form. */
  readonly converted: readonly CountedLoss[];
  readonly before: Layout;
  readonly after: Layout;
  /** Is a migration due that makes the change? Otherwise the local database alone differs from the files. */
  readonly isDue: boolean;
}

export function refusalOf({ lost, converted, before, after, isDue }: Refused): UserError {
  const option = lost.length > 0 ? ' -- --allow-drop' : '';
  const ways = isDue
    ? [
        `Take the change back, or make a migration of it: npm run generate${option}`,
        ...(lost.length > 0 ? renameWays(lost, before, after) : []),
      ]
    : [
        `The migrations have no part in it. To change the local database: stop npm run dev, then npm run migrate${option}`,
        'To keep it as it is and use another one: npm run dev -- --persist-to <folder>',
      ];
  return new UserError(
    [
      'A save only adds. The local database stores what the files would change:',
      ...lossTexts([...lost, ...converted], {}),
      ...ways,
    ].join('\n'),
  );
}

/** What is gone may have another name: the names that are new, or how such an option is written. */
function renameWays(lost: readonly CountedLoss[], before: Layout, after: Layout): readonly string[] {
  const hints = renameHints([before], after);
  if (hints.length > 0) return hints;
  const [gone] = lost.filter(({ subject }) => subject.includes('.'));
  return gone ? [`If it has another name now: npm run generate -- --rename ${gone.subject}=<new name>`] : [];
}
