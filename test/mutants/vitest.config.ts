/**
 * @module The configuration of the tests of a mutant: files run in the order in which the command names them.
 */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../../vitest.config.ts';

class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => process.argv.findIndex((name) => moduleId.endsWith(`/${name}`));
    return files.toSorted((a, b) => turn(a) - turn(b));
  }
}

export default defineConfig((env) => {
  const { test } = config(env);
  return { test: { ...test, sequence: { sequencer: AsNamed } } };
});
