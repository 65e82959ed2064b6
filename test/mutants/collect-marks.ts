/**
 * @module Hands over the marks of the functions that a test file executes: a setup file, which runs before each.
 */
import { afterEach } from 'vitest';

const executed = new Set<string>();
Object.assign(globalThis, { edgewiseExecuted: executed });
afterEach(({ task }) => void Object.assign(task.file.meta, { executed: [...executed] }));
