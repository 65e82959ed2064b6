/**
 * @module Who a request is counted as: the address of a client, as Cloudflare tells it.
 */
import type { AppContext } from './content.ts';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const IPV4_IN_IPV6 = '0:0:0:0:0:ffff';

// https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip-in-worker-subrequests
const WORKERS = '2a06:98c0:3600:0:0:0:0:103';

const IPV4_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** `::ffff:1.2.3.4` → `::ffff:102:304` */
const inHex = (address: string): string =>
  address.replace(IPV4_TAIL, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = inHex(address.toLowerCase()).split('::');
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
}

const ipv4Of = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [Math.floor(group / 256), group % 256])
    .join('.');

/** One subscriber has a whole IPv6 network of 64 bits, so that is what counts as an address; IPv4 within IPv6 is IPv4. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') === IPV4_IN_IPV6) return ipv4Of(groups.slice(6));
  return groups.slice(0, NETWORK_GROUPS).join(':');
}

/**
 * The platform sets these headers; what a client sends under their names, or any other, is not looked at. Requests of
 * all Workers in other zones come from one address, so there the zone tells them apart: `cf-worker` is set on each of
 * them, and believed of them alone.
 * @returns undefined where no address is known: on a local server, and for a Worker that calls by a service binding
 * and does not pass its client's address on. Such callers have nothing in common, so nothing is counted by address.
 */
export function clientOf({ req }: AppContext): string | undefined {
  const address = req.header('cf-connecting-ip');
  if (!address) return undefined;
  const isWorker = address.includes(':') && groupsOf(address).join(':') === WORKERS;
  return isWorker ? `worker ${req.header('cf-worker') ?? ''}` : networkOf(address);
}
