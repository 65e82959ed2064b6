/**
 * @module What a Worker is bundled with of the revisions of the tables: what they have renamed, for the names in former
 * versions of documents, and the fences of migrations.
 */
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { RenameStep } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { EMPTY_LAYOUT, type Layout, typeByTable } from './layout.ts';
import type { Revision } from './revisions.ts';

type Renaming = Pick<Revision, 'state' | 'renames'>;

function stepOf(before: Layout, { state, renames }: Renaming): RenameStep {
  const types = Object.entries(before.types).map(([uid, { table }]) => {
    const renamed = renames.tables.find(({ from }) => from === table)?.to ?? table;
    return [uid, typeByTable(state.layout, renamed)?.[0] ?? uid] as const;
  });
  const components = Object.keys(before.components).map((uid) => {
    const renamed = renames.components.find(({ from }) => uid === from || uid.startsWith(`${from}.`));
    return [uid, renamed ? `${renamed.to}${uid.slice(renamed.from.length)}` : uid] as const;
  });
  const owners = Map.groupBy(renames.attributes, ({ type }) => type);
  return {
    uids: Object.fromEntries([...types, ...components].filter(([from, to]) => from !== to)),
    attributes: Object.fromEntries(
      [...owners].map(([uid, own]) => [uid, Object.fromEntries(own.map(({ from, to }) => [from, to]))]),
    ),
  };
}

/** Adds the fences that a Worker knows; an empty one is that of a database without any. */
export function withFences(files: SchemaFiles, fences: readonly string[]): SchemaFiles {
  const known = fences.filter((fence) => fence !== '');
  return known.length > 0 ? { ...files, fences: known } : files;
}

/** Adds the renames of all revisions to what a Worker is bundled with, if it keeps a history. */
export function withRenames(files: SchemaFiles, { history }: Settings, revisions: readonly Renaming[]): SchemaFiles {
  if (history === null) return files;
  const steps = revisions.map((revision, index) =>
    stepOf(revisions[index - 1]?.state.layout ?? EMPTY_LAYOUT, revision),
  );
  const isStep = ({ uids, attributes }: RenameStep) => Object.keys({ ...uids, ...attributes }).length > 0;
  return { ...files, renames: steps.filter(isStep) };
}
