/**
 * @module The shell blocks of the README, run one after the other in one shell.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnableBlocks } from '../../support/pages.ts';
import type { Clone, Ended } from './clone.ts';

/** Each request leaves a line with its status in `requests.txt`. */
const CURL = `curl() {
  local answer; answer=$(command curl -sS -w '\\n%{http_code}' "$@")
  printf '%s %s\\n' "\${answer##*$'\\n'}" "$*" >> requests.txt
  printf '%s\\n' "\${answer%$'\\n'*}"
}
`;

export interface Requested {
  readonly ended: Ended;
  /** `200 -g http://…` */
  readonly requests: readonly string[];
}

/** Runs all blocks against a server on another port than the pages say. */
export async function runPages(clone: Clone, port: number): Promise<Requested> {
  const blocks = runnableBlocks(clone.root).filter(({ page, kind }) => page === 'README.md' && kind === 'commands');
  const script = `${CURL}set -u\n${blocks.map(({ text }) => text).join('\n')}`.replaceAll(
    '127.0.0.1:8787',
    `127.0.0.1:${port}`,
  );
  const ended = await clone.run('bash', '-c', script);
  const requests = readFileSync(join(clone.root, 'requests.txt'), 'utf8').trim().split('\n');
  return { ended, requests };
}
