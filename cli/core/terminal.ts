/**
 * @module Output of the commands: progress on stderr, results on stdout, user errors without a stack.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { SchemaError } from '../../src/schema/schema-error.ts';
import { failureText } from './failure-text.ts';

/** An error that the user can fix. The first line of the message names the file and the key, or the option. */
export class UserError extends Error {
  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

export class UsageError extends UserError {}

/** Names and messages of other servers may hold characters that a terminal obeys. */
const legible = (text: string): string => text.replaceAll(/(?!\n|\t|\r\n)\p{Cc}/gu, '\ufffd');

/** Colours a text for stderr, if that is a terminal and NO_COLOR (https://no-color.org) is not set. */
export const styled = (style: 'red' | 'green' | 'dim', text: string): string =>
  process.stderr.isTTY && !process.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;

const CLEAR = '\r\x1b[K';
let hasStatus = false;

/** Shows a line on the terminal until the next text. It is cut at the edge, where it could not be cleared. */
export function showStatus(text: string): void {
  hasStatus = true;
  // Without wrapping (DECAWM), whatever the colours in the line are.
  process.stderr.write(`${CLEAR}\x1b[?7l${text}\x1b[?7h`);
}

export function hideStatus(): void {
  if (hasStatus) process.stderr.write(CLEAR);
  hasStatus = false;
}

/** A progress line; results of a command go to stdout, so that they can be piped. */
export const progress = (text: string): void => {
  hideStatus();
  process.stderr.write(`${legible(text)}\n`);
};

export const print = (text = ''): void => {
  hideStatus();
  process.stdout.write(`${legible(text)}\n`);
};

/** Prints rows of cells, whose columns but the last are aligned. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const widths =
    rows[0]?.slice(0, -1).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** The result of a command for scripts, as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export async function askTerminal(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}

/** Prompts on the terminal; absent without one. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/**
 * Has a number typed back.
 * @param option says the same without a question.
 * @throws UserError when it is another one, or without a terminal.
 */
export async function confirmNumber(
  count: number,
  what: string,
  option: string,
  ask: Ask = process.stdin.isTTY ? askTerminal : undefined,
): Promise<void> {
  if (!ask) throw new UserError(`Nothing was changed: ${count} ${what}. To go ahead: ${option}`);
  const typed = await ask(`${count} ${what}. Type ${count} to go ahead: `);
  if (typed.trim() !== String(count)) throw new UserError('Nothing was changed');
}

/** The same where `--yes` may have said the number. @throws UserError when it says another one. */
export async function confirmYes(count: number, what: string, yes: number | undefined): Promise<void> {
  if (yes === undefined) await confirmNumber(count, what, `--yes ${count}`);
  else if (yes !== count) throw new UserError(`Nothing was changed: --yes says ${yes}, but ${count} ${what}`);
}

/** A step, or its failure with what the user can do about it. */
export async function advised<T>(step: Promise<T>, ...advice: readonly string[]): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof UserError) throw new UserError(error.message, ...advice);
    throw error;
  }
}

const isUserError = (error: unknown): error is Error => error instanceof UserError || error instanceof SchemaError;

/** Returns the text of a failure: of a user error or a failure of the machine its message, otherwise its stack. */
export function errorText(error: unknown): string {
  if (isUserError(error)) return error.message;
  return failureText(error) ?? `Unexpected: ${error instanceof Error ? error.stack : String(error)}`;
}

/** Ends the process if its output cannot be written: the reader of a pipe has ended, or the disk is full. */
function endUnheard(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EPIPE') progress(errorText(Object.assign(error, { path: 'standard output' })));
  process.exit(1);
}

/** Runs a command's body. A failure becomes its text and exit code 1, a wrong command line 2. */
export async function run(body: () => Promise<void>): Promise<void> {
  process.stdout.on('error', endUnheard);
  process.stderr.on('error', () => process.exit(1));
  try {
    await body();
  } catch (error) {
    hideStatus();
    process.stderr.write(`${styled('red', legible(errorText(error)))}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
