/**
 * @module What `edgewise media usage` does.
 */
import { counted, megabytes } from '../core/counted.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, printJson } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { countUsage, type Sum } from './count-usage.ts';

function printSums(title: string, sums: readonly Sum[]): void {
  print(title);
  for (const { name, files, bytes } of sums) print(`  ${name}: ${counted(files, 'file')}, ${megabytes(bytes)}`);
}

export async function printMediaUsage(root: string, { json, ...target }: Target & { json?: true }): Promise<void> {
  const registry = registryOf(await readSchemaFiles(root));
  const usage = await withStorage(root, target, (storage) => countUsage(storage, registry));
  if (json) return printJson(usage);
  printSums('by folder', usage.folders);
  printSums('by type', usage.types);
  printSums('by access', usage.access);
  print(`used by no document: ${counted(usage.unused.length, 'file')}`);
  for (const { id, name, bytes } of usage.unused) print(`  ${id} ${name}, ${megabytes(bytes)}`);
  if (usage.transformationsThisMonth !== undefined)
    print(`pictures made this month: ${usage.transformationsThisMonth}`);
}
