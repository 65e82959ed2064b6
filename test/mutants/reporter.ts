/**
 * @module A reporter of Vitest: writes what became of each test file, and what it executed.
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Written at the end of a run, relative to the root. */
export const REPORT = '.scratch/report.json';

/** What became of a test file. */
export interface TestFile {
  readonly file: string;
  readonly project: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  /** The marks of the functions that ran in its process while it did. */
  readonly executed?: readonly string[];
  /** Those of functions that ran while its modules were loaded. */
  readonly loaded?: readonly string[];
}

export default class implements Reporter {
  #root = '';

  onInit({ config, projects }: Vitest): void {
    this.#root = config.root;
    for (const project of projects) project.config.setupFiles.push(join(import.meta.dirname, 'collect-marks.ts'));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): TestFile => {
      const file = relative(this.#root, module.moduleId);
      const seconds = module.diagnostic().duration / 1000;
      return { file, project: module.project.name, isPassed: module.ok(), seconds, ...module.meta() };
    });
    writeFileSync(join(this.#root, REPORT), JSON.stringify(files));
  }
}
