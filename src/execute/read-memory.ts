/**
 * @module What an isolate remembers of reads: how each was planned, what was answered, and what was advised. Plans and
 * answers are bounded in bytes, advice in number; what was used last stays.
 */
import { type Answers, agree } from '../auth/answers.ts';
import type { Grants } from '../auth/grants.ts';
import { Memory } from '../memory.ts';
import type { Compiled } from '../sql/compiled.ts';

/** Something that is right for everybody who would have been told the same of their rights. */
interface ForSome {
  /** What planning was told of the caller's grants. */
  readonly answers: Answers;
}

/** What makes answers; it serves every document. */
export interface KnownPlan extends ForSome {
  /** Names of the stamps that its answers depend on. */
  readonly names: readonly string[];
  /** The text of these stamps as they are. */
  readonly current: Compiled<string | undefined>;
  readonly work: Compiled<unknown>;
  /** Of the question and the answers of `answers`. */
  readonly digest: string;
}

/** An answer, as long as none of its stamps is new. */
export interface KnownAnswer extends ForSome {
  readonly bytes: Uint8Array;
  /** The text of the stamps when it was made. */
  readonly stamps: string;
}

interface Entry<T> {
  readonly value: T;
  readonly size: number;
}

/** So many values for one question, for callers of different rights. */
const MOST_VARIANTS = 8;

const sizeOfAll = (entries: readonly Entry<unknown>[]): number => entries.reduce((all, { size }) => all + size, 0);

/** Bytes of all values, and of one. */
export interface MemoryLimits {
  readonly totalBytes: number;
  readonly answerBytes: number;
}

export class Remembered<T extends ForSome> {
  readonly #limits: MemoryLimits;
  readonly #sizeOf: (question: string, value: T) => number;
  /** The question that was asked longest ago comes first. */
  readonly #entries = new Map<string, readonly Entry<T>[]>();
  #bytes = 0;

  constructor(limits: MemoryLimits, sizeOf: (question: string, value: T) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  /** Bytes, as far as they can be told. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What was kept for somebody with the same rights, as far as they matter. */
  find(question: string, grants: Grants): T | undefined {
    const entries = this.#entries.get(question);
    if (!entries) return undefined;
    this.#entries.delete(question);
    this.#entries.set(question, entries);
    return entries.find(({ value }) => agree(grants, value.answers))?.value;
  }

  /** In place of what was kept for the same rights before. What is too big is forgotten. */
  keep(question: string, value: T, grants: Grants): void {
    const before = this.#entries.get(question) ?? [];
    const others = before.filter((entry) => !agree(grants, entry.value.answers)).slice(1 - MOST_VARIANTS);
    const size = this.#sizeOf(question, value);
    const entries = size <= this.#limits.answerBytes ? [...others, { value, size }] : others;
    this.#forget(question);
    if (entries.length > 0) this.#entries.set(question, entries);
    this.#bytes += sizeOfAll(entries);
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#limits.totalBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(question: string): void {
    const entries = this.#entries.get(question) ?? [];
    this.#entries.delete(question);
    this.#bytes -= sizeOfAll(entries);
  }
}

/** An entry without its texts, in bytes. */
const OVERHEAD = 1_000;
/** A parameter that is no text, in bytes. */
const NUMBER = 8;
/** Of the bytes that are remembered, plans take one in so many. */
const PLANS_SHARE = 4;

const weightOf = (param: unknown): number => (typeof param === 'string' ? param.length : NUMBER);

/** A plan is about as big as its statements, which stand beside it. */
function sizeOfPlan(question: string, { work }: KnownPlan): number {
  let size = question.length;
  for (const { sql, params } of work.statements) {
    size += sql.length;
    for (const param of params) size += weightOf(param);
  }
  return 4 * size + OVERHEAD;
}

const sizeOfAnswer = (question: string, { bytes, stamps }: KnownAnswer): number =>
  bytes.length + question.length + stamps.length + OVERHEAD;

export interface ReadMemory {
  readonly plans: Remembered<KnownPlan>;
  readonly answers: Remembered<KnownAnswer>;
  /** When which advice was logged last, milliseconds since 1970. */
  readonly advised: Memory<string, number>;
}

export function readMemory({ totalBytes, answerBytes }: MemoryLimits): ReadMemory {
  const forPlans = Math.floor(totalBytes / PLANS_SHARE);
  return {
    plans: new Remembered({ totalBytes: forPlans, answerBytes }, sizeOfPlan),
    answers: new Remembered({ totalBytes: totalBytes - forPlans, answerBytes }, sizeOfAnswer),
    advised: new Memory(),
  };
}
