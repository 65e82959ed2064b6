/**
 * @module Where the bytes of a file may be asked for. A server that names an address inside of the network of whoever
 * imports would have it read what is not meant for it, and served to everybody.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const INNER = new BlockList();
// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  INNER.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  INNER.addSubnet(net, prefix, 'ipv6');

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isInnerAddress = (address: string): boolean => INNER.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

async function isInner(host: string): Promise<boolean> {
  if (isIP(host) !== 0) return isInnerAddress(host);
  if (/(^|\.)localhost$/i.test(host)) return true;
  // What has no address cannot be reached either, which is told then.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInnerAddress(address));
}

/** Tells of addresses whether they may be asked, by a server at `base`; one that is inside itself may name others there. */
export function fileAddresses(base: string): (url: string) => Promise<boolean> {
  const own = hostOf(new URL(base));
  const known = new Map<string, Promise<boolean>>();
  const inner = (host: string): Promise<boolean> => {
    const answer = known.get(host) ?? isInner(host);
    known.set(host, answer);
    return answer;
  };
  return async (text) => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    const { protocol, username, password } = url;
    if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false;
    const host = hostOf(url);
    return host === own || !(await inner(host)) || inner(own);
  };
}
