/**
 * @module What webhooks send, in place of the network.
 */
import { vi } from 'vitest';

export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly init: RequestInit;
}

type Respond = (message: Received) => Response | Promise<Response>;

/** Receives each message of webhooks. `respond` may change while the Worker runs. */
export function receivers() {
  const network = { received: [] as Received[], respond: (() => new Response('ok')) as Respond };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const text = String(init.body);
    const url = String(input);
    const message = { url, headers: new Headers(init.headers), text, body: JSON.parse(text), init };
    network.received.push(message);
    return network.respond(message);
  });
  return network;
}
