/**
 * @module A content type that goes, with all that names it.
 */
import { uidOf } from '../../generators/models.ts';
import { type Seen, without } from '../seen.ts';
import { idsIn, MIGRATE, mapSeen, type NewStep, ofChain, withoutKey, withoutTargets } from './step.ts';

/** Takes the grants for a type out of the permissions of tokens. */
function withoutGrants(row: Readonly<Record<string, unknown>>, uid: string): unknown {
  if (typeof row.permissions !== 'string') return row;
  const grants = (JSON.parse(row.permissions) as readonly (string | { readonly action: string })[]).filter(
    (grant) => !(typeof grant === 'string' ? grant : grant.action).startsWith(`${uid}.`),
  );
  return { ...row, permissions: JSON.stringify(grants) };
}

export const removeType: NewStep = (model, dice) => {
  if (model.types.length < 4) return undefined;
  const type = ofChain(model.types, dice);
  const uid = uidOf(type);
  model.types.splice(model.types.indexOf(type), 1);
  const names: string[] = [];
  for (const { attributes } of [...model.types, ...model.parts])
    for (const [name, json] of [...attributes])
      if (json.target === uid && json.relation !== 'morphToMany') {
        attributes.delete(name);
        names.push(name);
      }
  return {
    title: `remove the type ${type.name}`,
    lines: ['generate --allow-drop', MIGRATE],
    expected(before: Seen) {
      const ids = new Set(['draft', 'published'].flatMap((status) => idsIn(before[`${uid} ${status}`])));
      const kept = names.reduce(withoutKey, withoutTargets(before, type, ids));
      const rows = mapSeen(kept, (row, subject) => {
        if (subject === 'tokens') return withoutGrants(row, uid);
        return row.type === uid ? undefined : row;
      });
      return without(rows, `${uid} draft`, `${uid} published`);
    },
  };
};
