/**
 * @module The bytes of all former versions, a running total in the table of counters: triggers update it with every write,
 * including imports, migrations and commands.
 */
import { COUNTER_TABLE, HISTORY_TABLE } from '../../src/schema/names.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import type { Layout } from './layout.ts';

const [COUNTERS, HISTORY] = [identifier(COUNTER_TABLE), identifier(HISTORY_TABLE)];
const TYPE = literal(HISTORY_TABLE);

const trigger = (name: string, event: string, bytes: string): string =>
  `CREATE TRIGGER ${identifier(`${HISTORY_TABLE}_${name}`)} ${event} ON ${HISTORY} BEGIN UPDATE ${COUNTERS} SET "total" = "total" + ${bytes} WHERE "type" = ${TYPE} AND "locale" = '' AND "status" = 'bytes'; INSERT INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${TYPE}, '', 'bytes', ${bytes} WHERE changes() = 0; END`;

// A row that is replaced is deleted without a trigger (https://www.sqlite.org/lang_conflict.html), so it is read before.
const REPLACED = `coalesce((SELECT "size" FROM ${HISTORY} WHERE "rowid" = new."rowid"), 0)`;

const CREATED: readonly string[] = [
  `INSERT OR REPLACE INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${TYPE}, '', 'bytes', sum("size") FROM ${HISTORY} HAVING count(*) > 0`,
  trigger('insert', 'BEFORE INSERT', `new."size" - ${REPLACED}`),
  trigger('update', 'AFTER UPDATE OF "size"', 'new."size" - old."size"'),
  trigger('delete', 'AFTER DELETE', '-old."size"'),
];

/** The statements that begin the total, if the layout before has none. */
export const beginTotal = (before: Layout, after: Layout): readonly string[] =>
  after.historyTotal && !before.historyTotal ? CREATED : [];
