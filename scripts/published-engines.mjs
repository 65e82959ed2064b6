/**
 * @module The Node that the published package asks for. A clone installs its own and works on Node 20, so package.json says so;
 * `npm pack` and `npm publish` run this before, and with `--undo` afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_RANGE } from '../cli/core/node-range.ts';

const PATH = join(import.meta.dirname, '../package.json');
const range = process.argv.includes('--undo') ? '>=20' : NODE_RANGE;

const text = readFileSync(PATH, 'utf8');
writeFileSync(PATH, text.replace(/("engines": \{\s*"node": )"[^"]*"/, `$1"${range}"`));
