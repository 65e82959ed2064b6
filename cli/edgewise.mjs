#!/usr/bin/env node
/** @module The executable. Whatever Node there is reads this file, so it has nothing new in it. */
import './check-node.mjs';
import './resolve-drizzle.mjs';
import { existsSync } from 'node:fs';
import module from 'node:module';

// Half of the time of a command is loading wrangler, a third less with this.
if (module.enableCompileCache) module.enableCompileCache();
const source = new URL('./program.ts', import.meta.url);
// The package has JavaScript in its place: Node runs no TypeScript in node_modules.
const program = existsSync(source) ? source : new URL('../dist/cli/program.js', import.meta.url);
import(program.href).then(({ main }) => main(process.argv.slice(2)));
