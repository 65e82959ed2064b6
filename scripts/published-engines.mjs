/**
 * @module The Node that the published package asks for. A clone installs its own and works on Node 20, and its package.json says
 * so. `npm pack` runs this afterwards, on the file that it has written: a kill leaves nothing in the clone.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { NODE_RANGE } from '../cli/core/node-range.ts';

/** npm packs everything below this folder. */
const MANIFEST = 'package/package.json';

const asking = (text) => `${JSON.stringify({ ...JSON.parse(text), engines: { node: NODE_RANGE } }, null, 2)}\n`;

/** Returns a tar whose package.json asks for the Node. */
async function withEngines(tar) {
  const [reader, writer] = [extract(), pack()];
  reader.end(tar);
  for await (const entry of reader) {
    const bytes = await buffer(entry);
    const content = entry.header.name === MANIFEST ? asking(bytes.toString()) : bytes;
    writer.entry({ ...entry.header, size: Buffer.byteLength(content) }, content);
  }
  writer.finalize();
  return buffer(writer);
}

/** Where npm has written the file. */
function packedFile() {
  const { name, version } = JSON.parse(readFileSync(join(dirname(import.meta.dirname), 'package.json'), 'utf8'));
  const { INIT_CWD = '', npm_config_pack_destination: destination = '' } = process.env;
  return resolve(INIT_CWD, destination, `${name}-${version}.tgz`);
}

// `npm publish` of a folder writes no file, nor does a dry run.
const { npm_command: command, npm_config_dry_run: isDry } = process.env;
if (command === 'pack' && isDry !== 'true') {
  const path = packedFile();
  writeFileSync(`${path}.part`, gzipSync(await withEngines(gunzipSync(readFileSync(path)))));
  renameSync(`${path}.part`, path);
}
