/**
 * @module Reads whose answer may be known: the batch that asks whether it still holds makes it anew where it does not,
 * since each statement of it carries that condition in its LIMIT. So a known answer costs one round trip that reads
 * next to nothing, and is never out of date.
 */
import { watched } from '../auth/answers.ts';
import type { Grants } from '../auth/grants.ts';
import type { Results } from '../sql/batch.ts';
import { type Compiled, mapped, together } from '../sql/compiled.ts';
import { guarded } from '../sql/credentials.ts';
import { filled } from '../sql/render.ts';
import { currentStamps, stampsMoved } from '../sql/stamps.ts';
import { LONGEST_SQL } from '../sql/statement.ts';
import type { Call } from './call.ts';
import { withCredential } from './caller.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';
import type { KnownPlan } from './read-memory.ts';

/** An answer with status 200. */
export interface Answer {
  /** JSON in UTF-8; absent: what the caller holds already. */
  readonly bytes?: Uint8Array;
  /** `"digest.stamps"`: of the question and the rights it was asked with, and of the content; before the stamps the
   * document, if it is one. Absent: not to be told. */
  readonly etag?: string;
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Was it remembered, or held by the caller? Else it was made anew. */
  readonly known: boolean;
}

/** What is asked. */
export interface Question {
  /** All that the answer depends on besides content and rights: path, query, format. */
  readonly text: string;
  /** The same without the document: questions that differ in it alone have one plan. */
  readonly shape: string;
  /** Absent where the question is about no document. */
  readonly documentId?: string;
}

/** What makes an answer. */
export interface AnswerWork {
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Of `ANY_DOCUMENT`, if of one. Its value is what the body says. It is kept, and so must not hold on to the request. */
  readonly work: Compiled<unknown>;
}

/** Plans an answer, and throws what is refused. All that it depends on is the question and the grants. */
export type AnswerPlanner = (asker: { readonly grants: Grants }) => AnswerWork;

const encoder = new TextEncoder();

function planned(call: Call, { shape }: Question, plan: AnswerPlanner, rights: Grants): KnownPlan {
  // HEAD has less to make, and the same tag.
  const question = call.bodiless ? `HEAD ${shape}` : shape;
  const known = call.memory.plans.find(question, rights);
  if (known) return known;
  const { grants, answers } = watched(rights);
  const work = plan({ grants });
  const told = answers();
  const digest = digestOf(fingerprintOf(call), shape, told);
  const made = { ...work, current: currentStamps(work.names), answers: told, digest };
  call.memory.plans.keep(question, made, rights);
  return made;
}

/** How the tags of all answers to a question begin that are made for the same rights. */
const tagPrefix = ({ documentId }: Question, { digest }: KnownPlan): string =>
  documentId === undefined ? `"${digest}.` : `"${digest}.${encodeURIComponent(documentId)}.`;

/** The stamps of an answer that the caller holds; that of another question has another prefix. */
const heldStamps = ({ held }: Call, prefix: string): string | undefined =>
  held.find((tag) => tag.startsWith(prefix))?.slice(prefix.length, -1);

interface Made {
  readonly stamps: string | undefined;
  /** Absent when the stamps are some of those that were asked about. */
  readonly bytes?: Uint8Array;
}

/**
 * @param still the stamps of answers that are known, here or to the caller; where they are those of one, nothing but them
 * is read, unless the statements leave no room for the condition.
 */
function making(
  { names, current, work }: KnownPlan,
  { documentId }: Question,
  still: readonly string[],
): Compiled<Made> {
  const all = documentId === undefined ? work.statements : work.statements.map((each) => filled(each, { documentId }));
  const hasRoom = still.length > 0 && all.every(({ sql }) => sql.length <= LONGEST_SQL);
  const moved = hasRoom ? stampsMoved(names, still) : undefined;
  const statements = moved ? all.map((statement) => guarded(statement, moved)) : all;
  const later = { statements, decode: (results: Results) => () => work.decode(results) };
  return mapped(together<[string | undefined, () => unknown]>([current, later]), ([stamps, body]) =>
    stamps !== undefined && still.includes(stamps)
      ? { stamps }
      : { stamps, bytes: encoder.encode(JSON.stringify(body())) },
  );
}

/**
 * Answers from memory, or makes the answer.
 * @throws ApiError 401 for a credential that is not valid, and only then whatever `plan` refuses with.
 */
export const readAnswer = (call: Call, question: Question, plan: AnswerPlanner): Promise<Answer> =>
  withCredential(call, {}, async (caller) => {
    const { grants } = caller;
    const work = planned(call, question, plan, grants);
    const { names, answers } = work;
    const prefix = tagPrefix(question, work);
    const known = call.memory.answers.find(question.text, grants);
    const still = [known?.stamps, heldStamps(call, prefix)].filter((stamps) => stamps !== undefined);
    const { bytes, stamps } = await caller.read(making(work, question, still));
    const etag = `${prefix}${stamps}"`;
    if (!bytes && known && known.stamps === stamps) return { bytes: known.bytes, etag, names, known: true };
    if (!bytes) return { etag, names, known: true };
    // What HEAD makes is not the answer to GET.
    if (stamps === undefined || call.bodiless) return { bytes, names, known: false };
    call.memory.answers.keep(question.text, { bytes, stamps, answers }, grants);
    return { bytes, etag, names, known: false };
  });
