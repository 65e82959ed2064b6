/**
 * @module What a Worker is bundled with of the revisions: their renames for former versions, and the fences of migrations.
 */
import { expect, it } from 'vitest';
import { withFences, withRenames } from '../../../cli/migrations/history-renames.ts';
import { stateOf } from '../../../cli/migrations/migration.ts';
import { NO_RENAMES, type Renames } from '../../../cli/migrations/rename-options.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const FILES = { contentTypes: [], components: [] };
const POST = 'api::post.post';

/** @param types singular name → table */
function revision(
  types: Readonly<Record<string, string>>,
  components: readonly string[],
  renames: Partial<Renames> = {},
) {
  const files = Object.entries(types).map(([name, table]) => contentType(name, {}, { table }));
  const registry = registryOf(
    files,
    components.map((uid) => component(uid, {})),
  );
  return { state: stateOf(registry), renames: { ...NO_RENAMES, ...renames } };
}

const TYPES = { post: 'posts', label: 'tags' };
const REVISIONS = [
  revision({ article: 'articles', tag: 'tags', gone: 'gones' }, ['shared.card', 'shareds.card']),
  revision(TYPES, ['meta.card', 'shareds.card'], {
    tables: [{ from: 'articles', to: 'posts' }],
    components: [{ from: 'shared', to: 'meta' }],
    attributes: [
      { type: POST, from: 'a', to: 'b' },
      { type: 'meta.card', from: 'x', to: 'y' },
      { type: POST, from: 'c', to: 'd' },
    ],
  }),
  revision(TYPES, ['meta.card', 'shareds.card']),
  revision(TYPES, ['meta.tile', 'shareds.card'], { components: [{ from: 'meta.card', to: 'meta.tile' }] }),
  revision(TYPES, ['meta.tile', 'shareds.card'], { attributes: [{ type: POST, from: 'b', to: 'e' }] }),
];

it('has a step for each revision that renames something, also types that keep their tables', () => {
  expect(withRenames(FILES, parseSettings({ history: true }), REVISIONS)).toEqual({
    ...FILES,
    renames: [
      {
        uids: { 'api::article.article': POST, 'api::tag.tag': 'api::label.label', 'shared.card': 'meta.card' },
        attributes: { [POST]: { a: 'b', c: 'd' }, 'meta.card': { x: 'y' } },
      },
      { uids: { 'meta.card': 'meta.tile' }, attributes: {} },
      { uids: {}, attributes: { [POST]: { b: 'e' } } },
    ],
  });
});

it('has no steps without a history', () => {
  expect(withRenames(FILES, parseSettings({}), REVISIONS)).toBe(FILES);
});

it('has the fences of migrations, if one sets a fence', () => {
  expect(withFences(FILES, ['', 'a', 'b'])).toEqual({ ...FILES, fences: ['a', 'b'] });
  expect(withFences(FILES, [''])).toBe(FILES);
});
