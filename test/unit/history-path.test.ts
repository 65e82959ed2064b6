/**
 * @module The path of the list of former versions, in settings and schema files.
 */
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../cli/project/sources.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { contentType } from '../support/schema-files.ts';

const files = { contentTypes: [contentType('event', {}, { plural: 'history' })], components: [] };
const read = (settings: SettingsInput) => sourcesOf({ files, problems: [] }, parseSettings(settings), {});

describe('generate', () => {
  it('rejects a content type with the path /api/history while the history is on', () => {
    for (const history of [true, { 'api::event.event': true }] as const)
      expect(() => read({ history })).toThrow(
        'history: api::event.event has the path /api/history, which lists former versions: rename it, or set history: null',
      );
  });

  it('takes a content type with the path /api/history without a history', () => {
    expect(read({}).declared.routes.has('history')).toBe(true);
  });
});
