/**
 * @module Callers with the same permission trace share what is cached.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, roleGrants } from '../../../src/access/grants.ts';
import { agree, traced } from '../../../src/access/permission-trace.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const FIND = 'api::note.note.find';
const settings = parseSettings({ roles: { editor: [FIND], twin: [FIND] } });
const [editor, twin] = [roleGrants(settings, 'editor'), roleGrants(settings, 'twin')];

describe('a permission trace', () => {
  it('is that of every role with the same rights, unless the role was queried', () => {
    const { grants, trace } = traced(editor);
    expect(grants.allows(FIND)).toBe(true);
    expect([agree(editor, trace()), agree(twin, trace()), agree(EVERYTHING, trace())]).toEqual([true, true, true]);
    expect(grants.role?.()).toBe('editor');
    expect([agree(editor, trace()), agree(twin, trace()), agree(EVERYTHING, trace())]).toEqual([true, false, false]);
  });

  it('tells a caller without a role from those with one', () => {
    const { grants, trace } = traced(EVERYTHING);
    expect(grants.role?.()).toBeUndefined();
    expect([agree(EVERYTHING, trace()), agree(editor, trace())]).toEqual([true, false]);
  });

  it('has ids of actions alone', () => {
    expect(editor.allows('role editor')).toBe(false);
  });
});
