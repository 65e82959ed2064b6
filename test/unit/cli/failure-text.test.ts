import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { failureText } from '../../../cli/core/failure-text.ts';
import { errorText, UserError } from '../../../cli/core/terminal.ts';
import { scratchProject } from './scratch-project.ts';

const project = scratchProject();
afterAll(() => project.remove('.'));

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.unreachable();
}

const system = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: …`), { code, syscall, ...(path !== undefined && { path }) });

describe('a failure of the machine', () => {
  it.each([
    [system('ENOSPC', 'write', '/a/b'), '/a/b cannot be written: there is no space left on the disk'],
    [system('ENOSPC', 'write'), 'A file cannot be written: there is no space left on the disk'],
    [system('EACCES', 'access', '/a/b'), '/a/b cannot be changed: this user may not do that'],
    [system('EACCES', 'open', '/a/b'), '/a/b cannot be opened: this user may not do that'],
    [system('EPERM', 'rename', '/a/b'), '/a/b cannot be renamed: this user may not do that'],
    [system('EROFS', 'mkdir', '/a/b'), '/a/b cannot be made: the disk is read-only'],
    [system('EMFILE', 'open', '/a/b'), '/a/b cannot be opened: too many files are open'],
    [system('EISDIR', 'read', join(process.cwd(), 'src')), 'src cannot be read: it is a folder, not a file'],
    [
      new Error('D1_ERROR: database or disk is full: SQLITE_FULL'),
      'The database cannot be used: there is no space left on the disk',
    ],
    [new Error('outer', { cause: system('EIO', 'read', '/a') }), '/a cannot be read: the disk failed'],
    [new AggregateError([system('EDQUOT', 'write', '/a')]), '/a cannot be written: the disk quota is used up'],
  ])('%s is one sentence', (error, text) => {
    expect(errorText(error)).toBe(text);
  });

  it('is one sentence for a file as a folder, a database in no folder, and a wrangler.toml that cannot be parsed', () => {
    project.write('file', '');
    project.write('wrangler.toml', 'x = [');
    expect(failureText(thrownBy(() => mkdirSync(join(project.root, 'file/below'))))).toMatch(
      /file\/below cannot be made: a part of the path is a file, not a folder$/,
    );
    expect(failureText(thrownBy(() => new DatabaseSync('/nowhere/a.db')))).toMatch(
      /^A temporary database in .* cannot be used: its file cannot be opened$/,
    );
    const config = join(project.root, 'wrangler.toml');
    expect(failureText(thrownBy(() => experimental_readRawConfig({ config })))).toMatch(
      /wrangler\.toml, line \d+: Invalid TOML/,
    );
    expect(failureText(thrownBy(() => experimental_readRawConfig({ config: '/nowhere/w.toml' })))).toBe(
      '/nowhere/w.toml is not there, or cannot be read; run the command in the folder of a project, or bring the file back from version control',
    );
  });

  it('is told apart from a user error, and from a fault of ours, which keeps its stack', () => {
    expect(errorText(new UserError('SQLITE_FULL'))).toBe('SQLITE_FULL');
    expect(errorText(new TypeError('ours'))).toMatch(/^Unexpected: TypeError: ours\n +at /);
    expect(errorText(system('ECONNREFUSED', 'connect'))).toMatch(/^Unexpected: /);
  });
});
