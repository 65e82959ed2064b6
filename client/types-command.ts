/**
 * @module `npx edgewise-client types --from URL`: the types of a deployed API, from its description.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { describedTypes } from '../cli/project/described-types.ts';

const USAGE = `Usage: edgewise-client types --from <url> [--token <token>] [--out <file>]

Writes the types of the content types that an API has, for \`createClient\`.

  --from <url>     the API, such as https://api.example.com
  --token <token>  an API token, or the JWT of a user; without it, the types are those of the public
  --out <file>     where to write them; by default types/content-types.d.ts
`;

const OPTIONS = {
  from: { type: 'string' },
  token: { type: 'string' },
  out: { type: 'string', default: 'types/content-types.d.ts' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A wrong command line: exit code 2. */
class UsageError extends Error {}

/** Returns the address of the description. */
function descriptionOf(from: string): URL {
  if (!URL.canParse(from) || !/^https?:/.test(from)) throw new UsageError(`--from: expected a URL, received "${from}"`);
  return new URL(`${from.replace(/\/+$/, '')}/openapi.json`);
}

/** @throws Error that names the address */
async function read(url: URL, token: string | undefined): Promise<unknown> {
  const failed = (what: string) => new Error(`${url.href}: ${what}`);
  const response = await fetch(url, token ? { headers: { Authorization: `Bearer ${token}` } } : {}).catch((error) => {
    throw failed(error instanceof Error ? String(error.cause ?? error.message) : String(error));
  });
  if (response.status === 401) throw failed('the token is not valid');
  if (!response.ok) throw failed(`${response.status} ${response.statusText}`.trim());
  return response.json().catch(() => {
    throw failed('this is no JSON; expected the description of an Edgewise API');
  });
}

function headerOf(url: URL, description: unknown, token: string | undefined): string {
  const { 'x-role': role } = (description ?? {}) as { readonly 'x-role'?: unknown };
  // A role with another name could end the comment.
  const isRole = typeof role === 'string' && /^[\w-]+$/.test(role);
  const caller = isRole ? `the role "${role}"` : token ? 'the token' : 'the public';
  return [
    `// Generated from ${url.href} by \`npx edgewise-client types\`: edits to this file are lost.`,
    `// It has what ${caller} may see: what that caller may not find is absent.`,
  ].join('\n');
}

async function writeTypes(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (values.help) return USAGE;
  if (positionals[0] !== 'types' || positionals.length > 1) throw new UsageError('expected the command "types"');
  if (values.from === undefined) throw new UsageError('--from is missing');
  const url = descriptionOf(values.from);
  const description = await read(url, values.token);
  const header = headerOf(url, description, values.token);
  let types: string;
  try {
    types = describedTypes(description, header);
  } catch (error) {
    throw new Error(`${url.href}: ${(error as Error).message}`);
  }
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, types);
  return `wrote ${values.out}\n`;
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

try {
  process.stdout.write(await writeTypes(process.argv.slice(2)));
} catch (error) {
  const isWrong = isUsage(error);
  process.stderr.write(`${(error as Error).message}\n${isWrong ? `\n${USAGE}` : ''}`);
  process.exitCode = isWrong ? 2 : 1;
}
