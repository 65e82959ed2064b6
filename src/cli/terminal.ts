/**
 * @module What the commands say: progress on stderr, results on stdout, and user errors without a stack.
 */
import { createInterface } from 'node:readline/promises';
import { SchemaError } from '../registry/build.ts';

/** Something the user can put right. The message names the file and the key, or the option. */
export class UserError extends Error {}

/** Names and messages of other servers may hold characters that a terminal obeys. */
const legible = (text: string): string => text.replaceAll(/(?!\n|\t|\r\n)\p{Cc}/gu, '\ufffd');

/** A progress line; results of a command go to stdout, so that they can be piped. */
export const progress = (text: string): void => {
  process.stderr.write(`${legible(text)}\n`);
};

/** A line of a command's result. */
export const print = (text = ''): void => {
  process.stdout.write(`${legible(text)}\n`);
};

/** Asks whoever sits there. */
export async function askTerminal(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}

/** A step, or its failure with what the user can do about it. */
export async function advised<T>(step: Promise<T>, ...advice: readonly string[]): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof UserError) throw new UserError([error.message, ...advice].join('\n'));
    throw error;
  }
}

const isUserError = (error: unknown): error is Error => error instanceof UserError || error instanceof SchemaError;

/** Runs a command's body. A user error becomes its message and exit code 1; anything else is ours and keeps its stack. */
export async function run(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    progress(
      isUserError(error) ? error.message : `Unexpected: ${error instanceof Error ? error.stack : String(error)}`,
    );
    process.exitCode = 1;
  }
}
