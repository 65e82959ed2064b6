/**
 * @module What `edgewise init` does.
 */

import { print, progress } from '../core/terminal.ts';
import { type InitOptions, init } from '../init/init.ts';
import { withProjectLock } from '../project/project-lock.ts';

export async function initProject(root: string, options: InitOptions): Promise<void> {
  for (const line of await withProjectLock(root, 'npm run init', () => init(root, options, progress))) print(line);
}
