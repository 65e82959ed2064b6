/**
 * @module The settings of tools for agents, and of clients that people connect to them.
 */
import * as z from 'zod/mini';
import { flag } from './setting-values.ts';

const options = z.strictObject({
  /** Where `oauth` is on: may callers without a credential call tools all the same? Then clients learn of no sign-in. */
  anonymous: flag(false),
});

/** Are there tools for agents? */
export const mcp = z._default(z.union([z.boolean(), options]), false);

const server = z.strictObject({
  /** May clients register themselves? Those that publish a document about themselves need not. */
  registration: flag(false),
});

/** May people connect clients to `/mcp` by OAuth? */
export const oauth = z.pipe(
  z._default(z.nullable(z.union([z.boolean(), server])), null),
  z.transform((given) => (given === true ? { registration: false } : given || null)),
);

interface Sections {
  readonly oauth: object | null;
  readonly mcp: z.output<typeof mcp>;
  readonly studio: boolean | 'read-only';
  readonly server: { readonly url: string };
}

/** Without TLS only for development. A path would move the documents about the server to where no client looks. */
const SERVER = /^(https:\/\/[^/@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)\/?$/;

/** What else `oauth` needs: where it is missing, and what was expected. */
export const OAUTH_NEEDS = [
  {
    path: ['server', 'url'],
    of: ['oauth', 'server'],
    isMet: ({ oauth, server }: Sections) => oauth === null || SERVER.test(server.url),
    error: 'an address like https://api.example.com, since oauth is on: clients compare it with the one they call',
  },
  {
    path: ['studio'],
    of: ['oauth', 'studio'],
    isMet: ({ oauth, studio }: Sections) => oauth === null || studio === true,
    error: 'true, since oauth is on: people connect clients on a page of Studio',
  },
  {
    path: ['mcp'],
    of: ['oauth', 'mcp'],
    isMet: ({ oauth, mcp }: Sections) => oauth === null || mcp !== false,
    error: 'true, since oauth is on: its tokens are for /mcp alone',
  },
] as const;
