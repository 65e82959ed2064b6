/**
 * @module `node without.mjs NAMES COMMAND…` runs a command against the server with these attributes left out of its
 * schemas: @sensinum/astro-strapi-loader follows a relation of a type to itself without end, also on Strapi 5.54.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';

const [names = '', ...command] = process.argv.slice(2);
const omitted = names.split(',');
const target = process.env.EDGEWISE_URL;

const kept = (schema) => ({
  ...schema,
  attributes: Object.fromEntries(Object.entries(schema.attributes).filter(([name]) => !omitted.includes(name))),
});

const without = (text) =>
  JSON.stringify({ data: JSON.parse(text).data.map((type) => ({ ...type, schema: kept(type.schema) })) });

async function answer(request, response) {
  const headers = { authorization: request.headers.authorization ?? '', accept: 'application/json' };
  const asked = await fetch(target + request.url, { headers });
  const text = await asked.text();
  const isSchemas = asked.ok && /^\/api\/content-type-builder\/[a-z-]+(\?|$)/.test(request.url);
  response.writeHead(asked.status, { 'content-type': 'application/json' }).end(isSchemas ? without(text) : text);
}

const proxy = http.createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(502).end(String(error)));
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));

const env = { ...process.env, EDGEWISE_URL: `http://127.0.0.1:${proxy.address().port}` };
const child = spawn(command[0], command.slice(1), { env, stdio: 'inherit' });
child.once('close', (code) => process.exit(code ?? 1));
