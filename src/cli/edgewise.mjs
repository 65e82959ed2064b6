#!/usr/bin/env node
/** @module The executable. Whatever Node there is reads this file, so it has nothing new in it. */
import './check-node.mjs';
import module from 'node:module';

// Half of the time of a command is loading wrangler, a third less with this.
if (module.enableCompileCache) module.enableCompileCache();
import('./program.ts').then(({ main }) => main(process.argv.slice(2)));
