#!/usr/bin/env node
/** @module The executable of `npm create edgewise`. Whatever Node there is reads this, so it has nothing new in it. */
import { GET_NODE, hasLimits, NEEDS } from '../cli/node-limits.mjs';

if (hasLimits()) import('./create.ts').then(({ main }) => main(process.argv.slice(2)));
else {
  process.stderr.write(`${NEEDS}; ${GET_NODE}\n`);
  process.exitCode = 1;
}
