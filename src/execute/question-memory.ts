/**
 * @module What writes of an isolate asked the database, and what it answered. Whoever writes the same document again, or
 * links to the same ones, may take the answers for true, since the batch of a write asserts them in any case.
 */
import { Memory } from '../auth/memory.ts';
import type { Results } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';

/** So many questions; with what each may take, 8 MB. */
const MOST = 500;
/** Characters of a question and its answer; larger ones are asked each time. */
const LONGEST = 8_000;

const keyOf = (statements: readonly Statement[]): string =>
  statements.map(({ sql, params }) => sql + JSON.stringify(params)).join('\n');

export class QuestionMemory {
  /** Null: asked before, but the answers are not known. */
  readonly #answers = new Memory<string, Results | null>(MOST);

  /** The answers; null where the same was asked before, and undefined where it was not. */
  find(statements: readonly Statement[]): Results | null | undefined {
    return this.#answers.get(keyOf(statements));
  }

  keep(statements: readonly Statement[], answers: Results | null): void {
    const key = keyOf(statements);
    const isLong = key.length + JSON.stringify(answers).length > LONGEST;
    if (isLong) this.#answers.forget(key);
    else this.#answers.keep(key, answers);
  }
}
