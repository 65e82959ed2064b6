/**
 * @module Whether the token may read everything that is going to be read. All that is missing is told at once, before the
 * first page.
 */
import { UserError } from '../terminal.ts';
import type { StrapiClient } from './client.ts';

export interface Question {
  readonly path: string;
  readonly grant: string;
  /** What it is called where it must be there. */
  readonly needed?: string;
}

/** @throws UserError that names each grant which the token lacks, and what is not there; whatever else the client refuses. */
export async function assertReadable(client: StrapiClient, questions: readonly Question[]): Promise<void> {
  const grants: string[] = [];
  const absent: string[] = [];
  for (const { path, grant, needed } of questions) {
    const look = await client.look(path);
    if (look === 'forbidden') grants.push(grant);
    if (look === 'absent' && needed !== undefined) absent.push(needed);
  }
  if (absent.length > 0)
    throw new UserError(
      `${client.base} has no address in its API for ${absent.join(', ')}: switch the route of find on there, or take an archive`,
    );
  if (grants.length > 0)
    throw new UserError(
      [
        `The token may not read everything from ${client.base}. In the admin panel (Settings, API Tokens) give it full access, or these permissions:`,
        ...grants.map((grant) => `  ${grant}`),
      ].join('\n'),
    );
}
