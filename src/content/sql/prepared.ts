/**
 * @module Statements of one shape, which are rendered once, with placeholders for what differs.
 */
import type { SQL } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import { filled, toStatement } from './render.ts';
import type { Statement } from './statement.ts';

/**
 * Renders a statement on its first use: a Worker that starts needs none yet. Returns a function that fills its placeholders,
 * and throws an Error for one without a value.
 */
export function prepared(build: () => SQL): (values: Readonly<Record<string, unknown>>) => Statement {
  const rendered = memoized(() => toStatement(build()));
  return (values) => filled(rendered(), values);
}
