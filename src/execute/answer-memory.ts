/**
 * @module The answers that an isolate remembers, with what they were made from. Bounded in bytes; what was used last stays.
 */
import { type Answers, agree } from '../auth/answers.ts';
import type { Grants } from '../auth/grants.ts';
import type { Compiled } from '../sql/compiled.ts';

/** An answer, as long as none of its stamps is new. */
export interface KnownAnswer {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly digest: string;
  /** Names of stamps, and their text when it was made. */
  readonly names: readonly string[];
  readonly stamps: string;
  /** What makes it anew. */
  readonly work: Compiled<unknown>;
  /** What planning was told of the caller's grants: it is an answer for everybody who is told the same. */
  readonly answers: Answers;
}

interface Entry {
  readonly known: KnownAnswer;
  readonly size: number;
}

/** So many answers to one question, for callers of different rights. */
const MOST_VARIANTS = 8;
/** An entry without its texts, in bytes. */
const OVERHEAD = 2_000;
/** A parameter that is no text, in bytes. */
const NUMBER = 8;

const sum = (sizes: readonly number[]): number => sizes.reduce((all, each) => all + each, 0);

/** A plan is about as big as its statements, which stand beside it. */
function sizeOf(question: string, { bytes, work }: KnownAnswer): number {
  const statements = work.statements.map(
    ({ sql, params }) => sql.length + sum(params.map((param) => (typeof param === 'string' ? param.length : NUMBER))),
  );
  return bytes.length + 4 * (question.length + sum(statements)) + OVERHEAD;
}

export interface MemoryLimits {
  readonly totalBytes: number;
  readonly answerBytes: number;
}

export class AnswerMemory {
  readonly #limits: MemoryLimits;
  /** The question that was asked longest ago comes first. */
  readonly #entries = new Map<string, readonly Entry[]>();
  #bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** Bytes, as far as they can be told. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What was answered to somebody with the same rights, as far as they matter. */
  find(question: string, grants: Grants): KnownAnswer | undefined {
    const entries = this.#entries.get(question);
    if (!entries) return undefined;
    this.#entries.delete(question);
    this.#entries.set(question, entries);
    return entries.find(({ known }) => agree(grants, known.answers))?.known;
  }

  /** In place of what was answered to the same rights before. Too big an answer is forgotten. */
  keep(question: string, known: KnownAnswer, grants: Grants): void {
    const before = this.#entries.get(question) ?? [];
    const others = before.filter((entry) => !agree(grants, entry.known.answers)).slice(1 - MOST_VARIANTS);
    const size = sizeOf(question, known);
    const entries = size <= this.#limits.answerBytes ? [...others, { known, size }] : others;
    this.#forget(question);
    if (entries.length > 0) this.#entries.set(question, entries);
    this.#bytes += sum(entries.map(({ size }) => size));
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#limits.totalBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(question: string): void {
    const entries = this.#entries.get(question) ?? [];
    this.#entries.delete(question);
    this.#bytes -= sum(entries.map(({ size }) => size));
  }
}
