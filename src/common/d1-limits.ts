/**
 * @module Limits of D1: https://developers.cloudflare.com/d1/platform/limits/;
 * https://github.com/cloudflare/workerd/blob/main/src/workerd/util/sqlite.c++
 */

/** Statements that one request to a Worker may run. */
export const MAX_STATEMENTS = 1_000;

/** Bytes of a statement. */
export const MAX_SQL_BYTES = 100_000;

/** Bytes of a row. */
export const MAX_ROW_BYTES = 2_000_000;

/** Bytes of a value, which workerd rejects itself. */
export const MAX_VALUE_BYTES = 2_200_000;

/** Parameters of a statement. */
export const MAX_PARAMS = 100;

/** Columns of a table or of a result. */
export const MAX_COLUMNS = 100;

/** Terms of a SELECT that `UNION`, `INTERSECT` or `EXCEPT` combine. */
export const MAX_TERMS = 5;

/** Arguments of a function. */
export const MAX_ARGUMENTS = 32;

/** Bytes of a pattern of LIKE or GLOB. */
export const MAX_PATTERN_BYTES = 50;
