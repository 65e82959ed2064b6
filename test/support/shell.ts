/**
 * @module A shell that keeps its variables and functions from one block of commands to the next, and tells what failed.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';

export interface Ran {
  readonly stdout: string;
  /** Commands that ended with another code than 0. */
  readonly failed: readonly string[];
  /** Of each curl that prints none itself. */
  readonly statuses: readonly { readonly status: number; readonly url: string }[];
}

export interface Shell {
  run(commands: string): Promise<Ran>;
  /** What runs then, such as a block that a test has given up, has a second to end. */
  end(): Promise<void>;
}

/** Finds the Node of this process first: a project brings none along. */
export const newerEnv = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
};

const PATIENCE = 1_000;

const PRELUDE = `set -o pipefail
trap 'echo "FAILED $BASH_COMMAND" >&2' ERR
curl() { command curl -sS -w '%{stderr}STATUS %{http_code} %{url}\\n' "$@"; }
`;

function ranOf(stdout: string, stderr: string): Ran {
  const lines = stderr.split('\n');
  const statuses = lines.flatMap((line) => {
    const [, status, url = ''] = /^STATUS (\d+) (.*)$/.exec(line) ?? [];
    return status === undefined ? [] : [{ status: Number(status), url }];
  });
  return { stdout, statuses, failed: lines.filter((line) => line.startsWith('FAILED ')) };
}

/** Starts bash in a folder. */
export function openShell(cwd: string): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env: newerEnv, stdio: 'pipe', detached: true });
  const ended = once(child, 'exit');
  const output = { stdout: '', stderr: '' };
  let look = (): void => {};
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      look();
    });
  child.stdin.write(PRELUDE);
  const run = (commands: string): Promise<Ran> => {
    const mark = `@@ ${randomUUID()} @@`;
    output.stdout = '';
    output.stderr = '';
    child.stdin.write(`${commands}\necho '${mark}'; echo '${mark}' >&2\n`);
    return new Promise((resolve) => {
      look = () => {
        const { stdout, stderr } = output;
        if (stdout.includes(mark) && stderr.includes(mark)) resolve(ranOf(stdout.replace(mark, ''), stderr));
      };
    });
  };
  const end = async () => {
    child.stdin.end();
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(late);
  };
  return { run, end };
}
