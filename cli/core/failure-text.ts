/**
 * @module Failures of the machine in one sentence: which file, and why. Anything else is a fault of ours.
 */
import { tmpdir } from 'node:os';
import { relative } from 'node:path';

const NO_SPACE = 'there is no space left on the disk';
const NO_PERMISSION = 'this user may not do that';
const READ_ONLY = 'the disk is read-only';

/** https://nodejs.org/api/errors.html#common-system-errors */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: NO_SPACE,
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large for the disk',
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: READ_ONLY,
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'there is a file of that name',
  ENOTEMPTY: 'the folder is not empty',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'another process uses it',
  ETXTBSY: 'another process uses it',
  EXDEV: 'it is on another disk',
  EIO: 'the disk failed',
};

/** What could not be done → the calls of the system that do it. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  changed: ['access'],
  opened: ['open'],
  read: ['read', 'scandir', 'opendir', 'stat', 'lstat'],
  written: ['write', 'fsync', 'ftruncate'],
  made: ['mkdir', 'mkdtemp'],
  renamed: ['rename'],
  removed: ['unlink', 'rmdir', 'rm'],
};

const LOCKED = 'another process has it locked';

/** https://www.sqlite.org/rescode.html: its name in messages of D1, or its message, and what it means. */
const DATABASE_CAUSES: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_FULL|database or disk is full/, NO_SPACE],
  [/SQLITE_READONLY|readonly database/, READ_ONLY],
  [/SQLITE_CANTOPEN|unable to open database file/, 'its file cannot be opened'],
  [/SQLITE_IOERR|disk I\/O error/, 'the disk failed, or has no space left'],
  [/SQLITE_CORRUPT|database disk image is malformed/, 'its file is damaged'],
  [/SQLITE_NOTADB|file is not a database/, 'its file is damaged'],
  [/SQLITE_BUSY|database is locked/, LOCKED],
];

type Failure = Partial<NodeJS.ErrnoException> & {
  readonly errors?: readonly unknown[];
  /** Of wrangler, about its configuration. */
  readonly text?: string;
  readonly location?: { readonly file?: string; readonly line?: number };
};

const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
};

function fileText({ code = '', path, syscall = '' }: Failure): string | undefined {
  const cause = CAUSES[code];
  if (cause === undefined || /^(listen|connect|getaddrinfo|spawn)/.test(syscall)) return undefined;
  const [verb = 'used'] = Object.entries(CALLS).find(([, calls]) => calls.includes(syscall)) ?? [];
  return `${path === undefined ? 'A file' : shown(path)} cannot be ${verb}: ${cause}`;
}

function databaseText({ code, path, message = '' }: Failure): string | undefined {
  const [, cause] = DATABASE_CAUSES.find(([pattern]) => pattern.test(message)) ?? [];
  if (cause === undefined) return undefined;
  const temporary = `A temporary database in ${process.env.SQLITE_TMPDIR ?? tmpdir()}`;
  const unnamed = code === 'ERR_SQLITE_ERROR' ? temporary : 'The database';
  return `${path === undefined ? unnamed : shown(path)} cannot be used: ${cause}`;
}

function configurationText({ name, text = '', location }: Failure): string | undefined {
  if (name !== 'ParseError') return undefined;
  const [, missing] = /^Could not read file: (.*)/.exec(text) ?? [];
  if (missing !== undefined)
    return `${shown(missing)} is not there, or cannot be read; run the command in the folder of a project, or bring the file back from version control`;
  const line = location?.line === undefined ? '' : `, line ${location.line}`;
  return location?.file === undefined ? text : `${shown(location.file)}${line}: ${text}`;
}

/** Is it the failure of a statement that another process did not let run? */
export const isLocked = (error: unknown): boolean => failureText(error)?.endsWith(LOCKED) ?? false;

/** The sentence; undefined for what is no failure of the machine. */
export function failureText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const failure = error as Failure;
  const own = fileText(failure) ?? databaseText(failure) ?? configurationText(failure);
  if (own !== undefined) return own;
  for (const inner of [failure.cause, ...(failure.errors ?? [])]) {
    const text = failureText(inner);
    if (text !== undefined) return text;
  }
  return undefined;
}
