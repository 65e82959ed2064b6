/**
 * @module What writes of an isolate asked the database, and what it answered. Whoever writes the same document again, or
 * links to the same ones, may take the answers for true, since the batch of a write asserts them in any case.
 */
import { Memory } from '../memory.ts';
import type { Results } from '../sql/batch.ts';
import type { Compiled } from '../sql/compiled.ts';
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
  find(key: string): Results | null | undefined {
    return this.#answers.get(key);
  }

  forget(key: string): void {
    this.#answers.forget(key);
  }

  keep(key: string, answers: Results | null): void {
    const isLong = key.length + JSON.stringify(answers).length > LONGEST;
    if (isLong) this.#answers.forget(key);
    else this.#answers.keep(key, answers);
  }
}

/** What a write asks. */
export interface Question {
  /** What it is remembered by. */
  readonly key: string;
  /** Is an earlier answer taken for true? */
  readonly assumed: boolean;
  /** To be asked again at the end of the batch. */
  readonly again: readonly Statement[];
}

export const NO_QUESTION: Question = { key: '', assumed: false, again: [] };

/**
 * What is asked, with the answers that an earlier write got where there are any.
 * @param leaves what the write does to them: those that it changes are asked for again if it is not the first of its kind.
 */
export function recalled<T>(
  memory: QuestionMemory,
  work: Compiled<T>,
  leaves: 'same' | 'changed',
): readonly [Compiled<T>, Question] {
  const { statements } = work;
  if (statements.length === 0) return [work, NO_QUESTION];
  const key = keyOf(statements);
  const answers = memory.find(key);
  const again = leaves === 'changed' && answers !== undefined ? statements : [];
  if (answers) {
    const answered = { statements: [], decode: () => work.decode(answers) };
    return [answered, { key, assumed: true, again }];
  }
  const kept = (results: Results) => {
    memory.keep(key, leaves === 'same' ? results : null);
    return work.decode(results);
  };
  return [
    { statements, decode: kept },
    { key, assumed: false, again },
  ];
}
