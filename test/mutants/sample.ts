/**
 * @module The mutants of a tree, in the order of a sample.
 */
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { type Edit, editsIn } from './mutations.ts';

export interface Mutant extends Edit {
  /** Random: of the seed. */
  readonly id: string;
  readonly room: string;
  readonly file: string;
  readonly line: number;
  readonly from: string;
}

const ROOM = /^(?:cli\/migrations|src(?:\/(?:content|features)(?=\/))?(?:\/[^/]+(?=\/))?)/;

function mutantsIn(root: string, seed: number): readonly Mutant[] {
  const api = new API({ cwd: root });
  const config = join(root, 'tsconfig.json');
  const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
  const mutants = (program?.getSourceFileNames() ?? []).flatMap((path) => {
    const file = relative(root, path);
    const [room] = ROOM.exec(file) ?? [];
    const source = room && program?.getSourceFile(path);
    if (!room || !source) return [];
    return editsIn(source).map((edit) => {
      const id = createHash('sha256')
        .update(JSON.stringify([seed, file, edit]))
        .digest('hex');
      const line = source.text.slice(0, edit.start).split('\n').length;
      return { id, room, file, line, ...edit, from: source.text.slice(edit.start, edit.end) };
    });
  });
  api.close();
  return mutants;
}

/** Sorts the first of each group before the second of each. */
export function byTurns<T>(items: readonly T[], groupOf: (item: T) => string): readonly T[] {
  const groups = [...Map.groupBy(items, groupOf).values()];
  const turns = new Map(groups.flatMap((group) => group.map((item, turn) => [item, turn])));
  return items.toSorted((a, b) => Number(turns.get(a)) - Number(turns.get(b)));
}

/** Orders all mutants of a tree by chance, rooms by turns and in each room kinds: each beginning is a sample. */
export function sampleOf(root: string, seed: number): readonly Mutant[] {
  const shuffled = mutantsIn(root, seed).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const kinds = byTurns(shuffled, ({ room, kind }) => `${room} ${kind}`);
  return byTurns(kinds, ({ room }) => room);
}
