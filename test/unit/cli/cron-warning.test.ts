import { describe, expect, it } from 'vitest';
import { cronWarnings } from '../../../cli/project/warnings.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { scratchProject } from './scratch-project.ts';

describe('a project without a cron trigger', () => {
  it('is warned about, if it has drafts that could be scheduled, webhooks, a history or folders', () => {
    const project = scratchProject();
    const registryWith = (drafts: boolean) => registryOf([contentType('story', {}, { drafts })]);
    const warningsOf = (drafts: boolean, publication = true) =>
      cronWarnings(project.root, registryWith(drafts), parseSettings({ api: { rest: { publication } } }));
    project.write('wrangler.toml', 'name = "x"\n');
    expect(warningsOf(true)).toEqual([expect.stringContaining('wrangler.toml: no [triggers] has crons')]);
    expect(warningsOf(false)).toEqual([]);
    expect(warningsOf(true, false)).toEqual([]);
    const webhooks = [{ url: 'https://example.com/', events: ['entry.*'] }];
    expect(cronWarnings(project.root, registryWith(false), parseSettings({ webhooks }))).toEqual([
      expect.stringContaining('messages that a webhook did not take are never sent again'),
    ]);
    const kept = { history: true, upload: { folders: true } } as const;
    expect(cronWarnings(project.root, registryWith(false), parseSettings(kept))).toEqual([
      expect.stringContaining('former versions keep the names of deleted users'),
      expect.stringContaining('a folder with many files leaves their bytes'),
    ]);
    project.write('wrangler.toml', 'name = "x"\n[triggers]\ncrons = ["* * * * *"]\n');
    expect(warningsOf(true)).toEqual([]);
    project.remove('.');
  });
});
