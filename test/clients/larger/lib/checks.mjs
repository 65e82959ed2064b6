/**
 * @module What the checks of clients share: the server behind a proxy that notes each request, and a line for each
 * operation.
 */
import http from 'node:http';

const target = new URL(process.env.EDGEWISE_URL);

export const token = process.env.EDGEWISE_TOKEN;

/** Requests and their status, in order. */
export const exchanges = [];

function forward(request, response) {
  const headers = { ...request.headers, host: target.host };
  const options = { hostname: target.hostname, port: target.port, path: request.url, method: request.method, headers };
  const asked = http.request(options, (answer) => {
    exchanges.push({ url: request.url, status: answer.statusCode });
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', (error) => response.writeHead(502).end(String(error)));
  request.pipe(asked);
}

const proxy = http.createServer(forward);
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));

export const url = `http://127.0.0.1:${proxy.address().port}`;

const reasonOf = (error) => error?.message || error?.error?.message || JSON.stringify(error);

/** Runs one operation and prints whether it works. */
export async function op(title, run) {
  try {
    await run();
    console.log(`ok ${title}`);
  } catch (error) {
    console.log(`fails ${title}: ${String(reasonOf(error)).replaceAll('\n', ' ').slice(0, 200)}`);
  }
}

export function must(condition, message) {
  if (!condition) throw new Error(message);
}

export async function mustFail(run, check) {
  let failure;
  try {
    await run();
  } catch (error) {
    failure = error;
  }
  must(failure !== undefined, 'was to fail, and did not');
  check?.(failure);
}

export const unique = (text) => `${text}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

export function finish() {
  proxy.closeAllConnections();
  proxy.close();
  process.exit(0);
}
