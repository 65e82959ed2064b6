/**
 * @module What the kernel says of a process: its children, its listening ports, its CPU time, its cores. Linux only;
 * elsewhere nothing is found, and the benchmark does without.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** `getconf CLK_TCK` of every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10;
const LISTENING = '0A';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The fields of `/proc/PID/stat` behind the name, which may hold spaces: state, parent … */
const statOf = (pid: number): readonly string[] => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];

export interface Process {
  readonly pid: number;
  readonly command: readonly string[];
}

/** Every living process that `pid` started, at any depth. */
export function descendants(pid: number): readonly Process[] {
  if (!existsSync('/proc/self/stat')) return [];
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((other) => [other, Number(statOf(other)[1])]));
  const found = new Set([pid]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [other, parent] of parents) if (found.has(parent)) found.add(other);
  }
  found.delete(pid);
  return [...found].map((other) => ({ pid: other, command: read(`/proc/${other}/cmdline`).split('\0') }));
}

function inodesOf(pid: number): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode) inodes.add(inode);
    } catch {
      // Closed since it was listed.
    }
  }
  return inodes;
}

/** TCP ports on which a process listens. */
export function listeningPorts(pid: number): readonly number[] {
  const inodes = inodesOf(pid);
  const sockets = read('/proc/net/tcp').split('\n').slice(1);
  return sockets.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === LISTENING && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

/** CPU time that a process has used so far, in milliseconds. */
export function cpuTime(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat.length > 12 ? (Number(stat[11]) + Number(stat[12])) * MILLISECONDS_PER_TICK : undefined;
}

/** Makes a process run on one core, numbered from 0. @returns false where the system cannot do so. */
export function pinToCore(pid: number, core: number): boolean {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Megabytes of memory that a process holds; undefined where the kernel does not tell. */
export function residentMegabytes(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}
