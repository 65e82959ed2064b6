/**
 * @module New stamps (`sql/stamps.ts`) for what was changed past the API: answers that isolates remember are not true then.
 */
import { EVERY_STAMP, STAMP_TABLE } from '../../../registry/names.ts';
import { identifier, literal } from './sql-text.ts';

/** A new stamp for everything; stands in every migration too. */
export const RENEW_STAMPS = `INSERT INTO ${identifier(STAMP_TABLE)} ("id", "stamps") VALUES (1, json_object(${literal(EVERY_STAMP)}, lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps"`;
