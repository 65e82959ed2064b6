/**
 * @module The tables of Edgewise itself, and those of content types that it knows by heart: one list for migrations, backups
 * and the table of what knows what.
 */
import * as ofContent from './content/sql/system-tables.ts';
import { files } from './features/files/sql/files.ts';
import { pictureMonths, pictures } from './features/files/sql/pictures.ts';
import { history } from './features/history/sql/table.ts';
import { schedule } from './features/publication/sql.ts';
import { identities, redemptions } from './features/users/sql/identities.ts';
import { endpoints, outbox } from './features/webhooks/sql/tables.ts';

export const SYSTEM_TABLES = {
  ...ofContent,
  files,
  pictures,
  pictureMonths,
  history,
  schedule,
  outbox,
  endpoints,
  identities,
  redemptions,
};
