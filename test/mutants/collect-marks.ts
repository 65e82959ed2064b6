/**
 * @module Hands over the marks of the functions that a test file executes: a setup file, which runs before each.
 */
import { afterAll } from 'vitest';

const executed = new Set<string>();
Object.assign(globalThis, { edgewiseExecuted: executed });
afterAll((_, { file }) => void Object.assign(file.meta, { executed: [...executed] }));
