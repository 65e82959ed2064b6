/**
 * @module The settings of a project as an import leaves them: what the archive says is a file of its own, and of
 * `edgewise.config.ts` only what is about a demo that goes is cut out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings, SettingsInput } from '../../config.ts';
import { isObject } from '../../json.ts';
import type { TextChange } from '../project/change-files.ts';
import { checkedSettings, IMPORTED, overriddenKeys, readImported } from '../project/imported-settings.ts';
import { withoutDemoSettings } from '../project/leave-demo.ts';
import { CONFIG, loadOwnSettings, mergedSettings } from '../project/project.ts';

export interface SettingsChange {
  readonly changes: readonly TextChange[];
  /** The settings as they will be loaded. */
  readonly settings: Settings;
  /** The part of them that will stand in `edgewise.imported.json`. */
  readonly imported: SettingsInput;
  /** Keys of `edgewise.config.ts` that go with the demo. */
  readonly removed: readonly string[];
  /** Keys that `edgewise.config.ts` sets to something else than the archive. */
  readonly overridden: readonly string[];
}

/** `edgewise.config.ts` without what it says of the demo. */
function leaveDemo(root: string): Pick<SettingsChange, 'changes' | 'removed'> {
  const path = join(root, CONFIG);
  const { text, removed } = withoutDemoSettings(existsSync(path) ? readFileSync(path, 'utf8') : '');
  return { changes: removed.length > 0 ? [{ path: CONFIG, text }] : [], removed };
}

/** A project without imported settings has no file for them. */
function importedChange(root: string, imported: SettingsInput): readonly TextChange[] {
  const isEmpty = Object.keys(imported).length === 0;
  if (isEmpty && !existsSync(join(root, IMPORTED))) return [];
  return [{ path: IMPORTED, text: isEmpty ? null : `${JSON.stringify(imported, null, 2)}\n` }];
}

/**
 * Plans the settings of the project; nothing is written yet.
 * @param archive what takes the place of what an earlier import brought; undefined: that stays
 * @param leavesDemo does the demo go, with what the settings say of it?
 * @throws UserError for settings that would be wrong
 */
export async function planSettings(
  root: string,
  archive: SettingsInput | undefined,
  leavesDemo: boolean,
): Promise<SettingsChange> {
  if (archive) checkedSettings(archive, 'The archive');
  const imported = archive ?? readImported(root);
  const present = await loadOwnSettings(root);
  const { changes, removed } = leavesDemo ? leaveDemo(root) : { changes: [], removed: [] };
  const own = isObject(present)
    ? Object.fromEntries(Object.entries(present).filter(([key]) => !removed.includes(key)))
    : present;
  return {
    changes: [...changes, ...(archive ? importedChange(root, archive) : [])],
    settings: mergedSettings(own, imported),
    imported,
    removed,
    overridden: overriddenKeys(own, imported),
  };
}
