/**
 * @module The log of what goes wrong.
 */
import type { AppContext } from './content.ts';

/** What a client may not read goes to the log, under the id that the answer carries. */
export function report(error: unknown, context: AppContext): void {
  const { message, stack, cause } = error as Error;
  console.error(JSON.stringify({ requestId: context.get('requestId'), message, stack, cause: String(cause ?? '') }));
}
