/**
 * @module One command at a time writes to a project. `test/node/two-commands.long.test.ts` has processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { lockProject } from '../../../../cli/core/lock/project-lock.ts';
import { archiveOf } from '../../../support/archive.ts';
import { contentType } from '../../../support/schema-files.ts';
import { STORAGE_TOML } from '../memory-storage.ts';
import { runCommand } from '../run-command.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

let project: ScratchProject;
beforeAll(async () => {
  project = scratchProject();
  project.write('wrangler.toml', STORAGE_TOML);
  project.write('edgewise.config.ts', 'export default { history: true };\n');
  project.schemas(contentType('note', { text: { type: 'string' } }));
  writeFileSync(join(project.root, 'archive.tar'), await archiveOf({}));
  return () => project.remove('.');
});

const LOCK_MODULE = join(import.meta.dirname, '../../../../cli/core/lock/project-lock.ts');

const WAITING = /^waiting for edgewise import \(process \d+, since \d\d:\d\d:\d\d\) …\n/;

/** A line of each command that writes. */
const WRITING = [
  ...['generate', 'migrate', 'import archive.tar', 'restore archive.tar', 'media check --fix', 'media check --purge'],
  ...['history prune', 'history purge --type api::note.note', 'renew'],
  ...['token create --name n --type read-only', 'token revoke n', 'user create --email a@b.test'],
  ...['user set-password a@b.test', 'user block a@b.test', 'user unblock a@b.test', 'webhook retry', 'webhook resume'],
  'deploy',
];

describe('a command that writes', () => {
  it.each(WRITING)('%s waits for another one', async (line) => {
    const free = await lockProject(project.root, 'import');
    const running = runCommand(project.root, line);
    const says = vi.mocked(process.stderr.write);
    await expect.poll(() => says).toHaveBeenCalledWith(expect.stringMatching(WAITING));
    free();
    expect((await running).said).toMatch(/\n./);
  });

  it.each(['generate --check', 'migrate --status', 'media check', 'token list', 'user list', 'webhook list'])(
    '%s reads, and waits for none',
    async (line) => {
      const free = await lockProject(project.root, 'import');
      try {
        expect((await runCommand(project.root, line)).said).not.toContain('waiting');
      } finally {
        free();
      }
    },
  );

  it('is rejected if the other one goes on, and has changed nothing', async () => {
    const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const free = await lockProject(project.root, 'restore');
    await expect(lockProject(project.root, 'migrate', 100)).rejects.toThrow(
      /^edgewise restore \(process \d+, since [\d:]+\) writes to this project\. Nothing was changed: run the command again when it has ended$/,
    );
    expect(heard).toHaveBeenCalledOnce();
    heard.mockRestore();
    free();
    (await lockProject(project.root, 'migrate', 100))();
  });

  it('goes on at once after one that was killed', async () => {
    const script = `import { lockProject } from ${JSON.stringify(LOCK_MODULE)};
      await lockProject(process.argv[1], 'import');
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const args = ['--no-warnings', '--input-type=module', '-e', script, project.root];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(lockProject(project.root, 'migrate', 0)).rejects.toThrow(`edgewise import (process ${child.pid},`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await lockProject(project.root, 'migrate', 0))();
  });
});
