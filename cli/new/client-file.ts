/**
 * @module The file of the package `edgewise-client`, which a site depends on where Edgewise is a file as well.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../core/terminal.ts';

/** Returns the path of the client that lies beside the file of `edgewise`. @throws UserError without one */
export function clientBeside(file: string): string {
  const path = join(dirname(file), basename(file).replace('edgewise-', 'edgewise-client-'));
  if (existsSync(path)) return path;
  throw new UserError(`${path} is missing, which a site depends on; npm pack --workspace=client writes it in a clone`);
}
