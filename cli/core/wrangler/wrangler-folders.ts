/**
 * @module The folders outside of the project that wrangler needs: it throws while it is imported where it cannot have
 * them.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../terminal.ts';

/** The folder of wrangler's logs and login, as it looks for it. */
function wranglerFolder(): string {
  const older = join(homedir(), '.wrangler');
  if (existsSync(older)) return older;
  const usual = process.platform === 'darwin' ? 'Library/Preferences' : '.config';
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), usual), '.wrangler');
}

/** Makes a folder that is not there. @returns may this user write into it? */
function canHave(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws UserError that names the folder that cannot be used, and what to set. */
export function assertFolders(): void {
  const temporary = tmpdir();
  if (!existsSync(temporary) || !canHave(temporary)) {
    const why = existsSync(temporary) ? 'cannot be written by this user' : 'is not there';
    throw new UserError(`The folder for temporary files, ${temporary}, ${why}; name another one: TMPDIR=<folder>`);
  }
  if (process.platform === 'win32' || canHave(wranglerFolder())) return;
  throw new UserError(
    `wrangler keeps its logs and its login in the home folder, ${homedir()}, which this user cannot write; name another one: HOME=<folder>`,
  );
}
