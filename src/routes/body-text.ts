/**
 * @module The body of a request as text.
 */
import type { Context } from 'hono';

const decoder = new TextDecoder();

/** UTF-8, whatever the content type says; `text()` of the platform warns of every form. */
export const bodyText = async ({ req }: Context): Promise<string> => decoder.decode(await req.arrayBuffer());
