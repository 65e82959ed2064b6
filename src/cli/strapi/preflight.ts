/**
 * @module Whether the token may read everything that is going to be read. All that is missing is told at once, before the
 * first page.
 */
import { UserError } from '../terminal.ts';
import type { StrapiClient } from './client.ts';

export interface Question {
  readonly path: string;
  readonly grant: string;
}

/** @throws UserError that names each grant which the token lacks; whatever else the client refuses. */
export async function assertReadable(client: StrapiClient, questions: readonly Question[]): Promise<void> {
  const missing: string[] = [];
  for (const { path, grant } of questions) {
    if (!(await client.mayRead(path))) missing.push(grant);
  }
  if (missing.length > 0)
    throw new UserError(
      [
        `The token may not read everything from ${client.base}. In the admin panel (Settings, API Tokens) give it full access, or these permissions:`,
        ...missing.map((grant) => `  ${grant}`),
      ].join('\n'),
    );
}
