/**
 * @module What a step of a chain is, and how what is seen changes by it.
 */

import { type Model, type TypeModel, uidOf } from '../../generators/models.ts';
import type { Dice } from '../../support/dice.ts';
import type { Project } from '../project.ts';
import { asText, type Seen } from '../seen.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a step does to the model, to the command lines that carry it out, and to what is seen. */
export interface Step {
  readonly title: string;
  /** Run in order; each may be killed and repeated. */
  readonly lines: readonly string[];
  /** May a Worker write meanwhile? What it is answered with success for is there then. */
  readonly isBesideWriter?: true;
  /** Moves stored values: a Worker of before writes nothing that is lost. */
  readonly isMigration?: true;
  /** Runs before the commands. */
  prepare?(project: Project): Promise<void>;
  /** Runs after the commands. @returns what is wrong */
  finish?(project: Project, before: Seen): Promise<readonly string[]>;
  /** Attributes whose values are not compared. */
  readonly ignored?: readonly string[];
  expected(before: Seen): Seen;
}

/** Changes the model. Returns undefined if it has nothing to be changed so. */
export type NewStep = (model: Model, dice: Dice) => Step | undefined;

export const MIGRATE = 'migrate --allow-drop';

export const same = (seen: Seen): Seen => seen;

export const ofChain = <T>(items: readonly T[], dice: Dice): T => dice.pick(items as readonly [T, ...T[]]);

export const linesOf = (text = ''): readonly Row[] =>
  text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));

/** Changes each line of the subjects; undefined drops it. */
export const mapSeen = (seen: Seen, change: (row: Row, subject: string) => unknown): Seen =>
  Object.fromEntries(
    Object.entries(seen).map(([subject, text]) => [
      subject,
      asText(linesOf(text).flatMap((row) => change(row, subject) ?? [])),
    ]),
  );

/** Changes the values of a name, at any depth. */
export const mapValues = (seen: Seen, name: string, change: (value: unknown) => unknown): Seen =>
  mapSeen(seen, (row) => JSON.parse(JSON.stringify(row), (key, value) => (key === name ? change(value) : value)));

/** Takes an attribute out. */
export const withoutKey = (seen: Seen, name: string): Seen => mapValues(seen, name, () => undefined);

/** Is the subject what is read of a type? */
export const isOf = (subject: string, type: TypeModel): boolean => subject.startsWith(`${uidOf(type)} `);

/** Ids of the documents that a subject shows. */
export const idsIn = (text: string | undefined): readonly string[] =>
  linesOf(text).map(({ documentId }) => String(documentId));

/** Takes links to documents out of the documents of other types. */
export function withoutTargets(seen: Seen, type: TypeModel, ids: ReadonlySet<string>): Seen {
  const isTarget = (value: unknown) =>
    typeof value === 'object' && value !== null && 'documentId' in value && ids.has(String(value.documentId));
  const cleared = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((item) => !isTarget(item)).map(cleared);
    if (typeof value !== 'object' || value === null) return value;
    if (isTarget(value)) return null;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleared(item)]));
  };
  return mapSeen(seen, (row, subject) => {
    if (!subject.startsWith('api::') || isOf(subject, type)) return row;
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cleared(value)]));
  });
}
