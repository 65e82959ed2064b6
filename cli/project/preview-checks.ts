/**
 * @module Checks `preview` of the settings against the content types.
 */
import { actionsOf } from '../../src/access/rule.ts';
import { suggestion } from '../../src/common/near-words.ts';
import { isHidden, isScalar } from '../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { PREVIEW_VALUES, placeholdersIn, previewedTypes } from '../../src/schema/settings/derived.ts';

/** The names that a URL may have in braces: scalar attributes that are not private, and values of the link. */
const placeholdersOf = ({ attributes }: ContentType): readonly string[] => [
  ...PREVIEW_VALUES,
  ...[...attributes.values()].flatMap((each) => (isScalar(each) && !isHidden(each) ? [each.name] : [])),
];

/** Returns a line for each uid and each placeholder that does not exist, and for a grant without effect. */
export function previewProblems({ contentTypes }: Registry, settings: Settings): readonly string[] {
  const types = [...contentTypes.values()].filter((type) => !type.system);
  const uids = types.map(({ uid }) => uid);
  const unknown = (uid: string) => `no content type has this uid${suggestion(uid, uids)}`;
  const problems = previewedTypes(settings).flatMap(([uid, { url = '', populate }]) => {
    const path = `preview.${uid}`;
    const type = types.find((each) => each.uid === uid);
    if (!type) return [`${path}: ${unknown(uid)}`];
    const known = placeholdersOf(type);
    const wrong = placeholdersIn(url).filter((name) => !known.includes(name));
    return [
      ...wrong.map(
        (name) => `${path}.url: {${name}} is no scalar attribute that responses show${suggestion(name, known)}`,
      ),
      ...populate.filter((each) => !uids.includes(each)).map((each) => `${path}.populate: "${each}": ${unknown(each)}`),
    ];
  });
  const isPublic = (settings.roles.public ?? []).flatMap(actionsOf).some((id) => id.endsWith('.previewLink'));
  return isPublic ? [...problems, 'roles.public: previewLink needs an account or an API token'] : problems;
}
