/**
 * @module Settings of the project that the benchmark serves: the defaults, so that what is measured is what is shipped.
 */
import { defineConfig } from '../src/schema/settings/config.ts';

export default defineConfig({});
