/**
 * @module A command line, run as the executable runs it, but in this process, which has loaded everything.
 */
import { vi } from 'vitest';
import { errorText, UsageError } from '../../../cli/core/terminal.ts';
import { runLine } from '../../../cli/program.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Ended {
  readonly code: number;
  /** On both streams. */
  readonly said: string;
}

/** npm gives its scripts these variables, so the tests have them too. */
const isOfNpm = (name: string): boolean => /^(npm_|CLOUDFLARE_|EDGEWISE_)/i.test(name);

/** The variables of this process without those of npm, and with others. */
export function cleanEnv(env: Env): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !isOfNpm(name));
  // The generated types require the variables of `.dev.vars`.
  return { ...Object.fromEntries(others), ...env } as NodeJS.ProcessEnv;
}

/** Runs a command line in a folder, as if it were a process of its own. */
export async function runCommand(root: string, line: string, env: Env = {}): Promise<Ended> {
  const [folder, variables, { exitCode }] = [process.cwd(), process.env, process];
  let said = '';
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    }),
  );
  process.chdir(root);
  process.env = cleanEnv(env);
  process.exitCode = 0;
  try {
    await runLine(line.split(' ').filter((word) => word !== ''));
    return { code: Number(process.exitCode), said };
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, said: `${said}${errorText(error)}\n` };
  } finally {
    process.chdir(folder);
    process.env = variables;
    process.exitCode = exitCode;
    for (const stream of streams) stream.mockRestore();
  }
}
