/**
 * @module What `edgewise generate` does: it checks or writes the files of a project.
 */
import { progress } from '../core/terminal.ts';
import { parseRenames } from '../migrations/rename-options.ts';
import { checkGenerated, generate } from '../project/generate.ts';

interface GenerateFlags {
  readonly check?: true;
  readonly allowDrop?: true;
  readonly name?: string;
  readonly rename?: readonly string[];
  readonly renameType?: readonly string[];
  readonly renameComponent?: readonly string[];
  readonly persistTo?: string;
}

export async function generateProject(root: string, flags: GenerateFlags): Promise<void> {
  if (flags.check) await checkGenerated(root);
  const { rename = [], renameType = [], renameComponent = [], allowDrop = false, name = '' } = flags;
  const renames = parseRenames(rename, renameType, renameComponent);
  const written = flags.check
    ? []
    : await generate(root, { renames, allowDrop, allowByHand: true, name, target: flags });
  if (written.length === 0) progress('up to date');
  for (const path of written) progress(`wrote ${path}`);
}
