/**
 * @module The mutants of a tree, in the order of a sample.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { bodiesIn, markOf, marksIn, replaceIn } from './marks.ts';
import { type Edit, editsIn } from './mutations.ts';

export interface Mutant extends Edit {
  /** Random: of the seed. */
  readonly id: string;
  readonly room: string;
  readonly file: string;
  readonly line: number;
  readonly from: string;
  /** Of the function that it is in; none: code of the module. */
  readonly mark: string | undefined;
}

const ROOM = /^(?=.*\.ts$)(?:cli\/migrations|src(?:\/(?:content|features)(?=\/))?(?:\/[^/]+(?=\/))?)/;

/** Returns what each file makes that mutants are in. */
function eachSource<T>(root: string, make: (file: string, source: SourceFile, room: string) => T): readonly T[] {
  const api = new API({ cwd: root });
  const config = join(root, 'tsconfig.json');
  const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
  const made = (program?.getSourceFileNames() ?? []).flatMap((path) => {
    const file = relative(root, path);
    const [room] = ROOM.exec(file) ?? [];
    const source = room && program?.getSourceFile(path);
    return source ? [make(file, source, room)] : [];
  });
  api.close();
  return made;
}

/** Writes marks into all functions of a tree. */
export function markTree(root: string): void {
  eachSource(root, (file, source) => writeFileSync(join(root, file), replaceIn(source.text, marksIn(file, source))));
}

const mutantsIn = (file: string, source: SourceFile, room: string, seed: number): readonly Mutant[] => {
  const bodies = bodiesIn(source);
  return editsIn(source).map((edit) => {
    const id = createHash('sha256')
      .update(JSON.stringify([seed, file, edit]))
      .digest('hex');
    const line = source.text.slice(0, edit.start).split('\n').length;
    const body = bodies.findLast((node) => node.getStart(source) <= edit.start && edit.end <= node.end);
    const mark = body && markOf(file, body);
    return { id, room, file, line, ...edit, from: source.text.slice(edit.start, edit.end), mark };
  });
};

/** Sorts the first of each group before the second of each. */
export function byTurns<T>(items: readonly T[], groupOf: (item: T) => string): readonly T[] {
  const groups = [...Map.groupBy(items, groupOf).values()];
  const turns = new Map(groups.flatMap((group) => group.map((item, turn) => [item, turn])));
  return items.toSorted((a, b) => Number(turns.get(a)) - Number(turns.get(b)));
}

/** Orders all mutants of a tree by chance, rooms by turns and in each room kinds: each beginning is a sample. */
export function sampleOf(root: string, seed: number): readonly Mutant[] {
  const mutants = eachSource(root, (file, source, room) => mutantsIn(file, source, room, seed)).flat();
  const shuffled = mutants.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const kinds = byTurns(shuffled, ({ room, kind }) => `${room} ${kind}`);
  return byTurns(kinds, ({ room }) => room);
}
