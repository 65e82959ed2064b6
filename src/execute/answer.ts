/**
 * @module Reads whose answer may be known: the batch that asks whether it still holds makes it anew where it does not,
 * since each statement of it carries that condition in its LIMIT. So a known answer costs one round trip that reads
 * next to nothing, and is never out of date.
 */
import { type Answers, watched } from '../auth/answers.ts';
import type { Credential } from '../auth/credential.ts';
import type { Grants } from '../auth/grants.ts';
import { type Compiled, mapped, together } from '../sql/compiled.ts';
import { guarded } from '../sql/credentials.ts';
import { currentStamps, stampsMoved } from '../sql/stamps.ts';
import { LONGEST_SQL } from '../sql/statement.ts';
import { read } from './ask.ts';
import type { Call } from './call.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';

/** An answer with status 200. */
export interface Answer {
  /** JSON in UTF-8; absent: what the caller holds already. */
  readonly bytes?: Uint8Array;
  /** `"digest.stamps"`: of the question and the rights it was asked with, and of the content. Absent: not to be told. */
  readonly etag?: string;
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Was it remembered, or held by the caller? Else it was made anew. */
  readonly known: boolean;
}

/** What makes an answer. */
export interface AnswerWork {
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Its value is what the body says. It is kept, and so must not hold on to the request. */
  readonly work: Compiled<unknown>;
}

/** Plans an answer, and throws what is refused. All that it depends on is the question and `credential.grants`. */
export type AnswerPlanner = (credential: Credential) => AnswerWork;

interface Planned extends AnswerWork {
  /** What planning was told of the caller's grants: the work is right for everybody who is told the same. */
  readonly answers: Answers;
  readonly digest: string;
}

const encoder = new TextEncoder();

function planned(call: Call, question: string, plan: AnswerPlanner, credential: Credential): Planned {
  const { grants, answers } = watched(credential.grants);
  const work = plan({ ...credential, grants });
  const told = answers();
  return { ...work, answers: told, digest: digestOf(fingerprintOf(call), question, told) };
}

/** The stamps of an answer that the caller holds; that of another question has another digest. */
function heldStamps({ held }: Call, digest: string): string | undefined {
  const start = `"${digest}.`;
  return held.find((tag) => tag.startsWith(start))?.slice(start.length, -1);
}

interface Made {
  readonly stamps: string | undefined;
  /** Absent when the stamps are still those that were asked about. */
  readonly bytes?: Uint8Array;
}

/**
 * @param still the stamps of an answer that is known; where they are not new, nothing but them is read, unless the
 * statements leave no room for the condition.
 */
function making({ names, work }: AnswerWork, still: string | undefined): Compiled<Made> {
  const hasRoom = work.statements.every(({ sql }) => sql.length <= LONGEST_SQL);
  const moved = still !== undefined && hasRoom ? stampsMoved(names, still) : undefined;
  const statements = moved ? work.statements.map((statement) => guarded(statement, moved)) : work.statements;
  const later = { statements, decode: (results: Parameters<typeof work.decode>[0]) => () => work.decode(results) };
  return mapped(together<[string | undefined, () => unknown]>([currentStamps(names), later]), ([stamps, body]) =>
    stamps !== undefined && stamps === still ? { stamps } : { stamps, bytes: encoder.encode(JSON.stringify(body())) },
  );
}

function remember(call: Call, question: string, plan: Planned, made: Made, grants: Grants): Answer {
  const { stamps, bytes } = made;
  const { names } = plan;
  const known = bytes === undefined;
  // What HEAD makes is not the answer to GET.
  if (stamps === undefined || call.bodiless) return { ...(bytes && { bytes }), names, known };
  const etag = `"${plan.digest}.${stamps}"`;
  if (bytes) call.memory.keep(question, { ...plan, bytes, stamps, etag }, grants);
  return { ...(bytes && { bytes }), etag, names, known };
}

/**
 * Answers from memory, or makes the answer.
 * @param question all that the answer depends on besides content and rights: path, query, format.
 * @throws ApiError 401 for a credential that is not valid, and only then whatever `plan` refuses with.
 */
export const readAnswer = (call: Call, question: string, plan: AnswerPlanner): Promise<Answer> =>
  read(call, (credential) => {
    const { grants } = credential;
    const known = call.memory.find(question, grants);
    const work = known ?? planned(call, question, plan, credential);
    const still = known?.stamps ?? heldStamps(call, work.digest);
    return mapped(making(work, still), (made) =>
      made.bytes || !known ? remember(call, question, work, made, grants) : { ...known, known: true },
    );
  });
