/**
 * @module Hands over the marks of the functions that a test file executes: a setup file, which runs before each.
 */
import { afterEach, beforeAll } from 'vitest';

const executed = new Set<string>();
Object.assign(globalThis, { edgewiseExecuted: executed });
// Modules are loaded once in a process: what runs then is not executed again for the other files that import them.
let loaded: readonly string[] = [];
beforeAll(() => {
  loaded = [...executed];
});
afterEach(({ task }) => void Object.assign(task.file.meta, { executed: [...executed], loaded }));
