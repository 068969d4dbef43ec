import { BlockList } from 'node:net';

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ...([
    ['10.0.0.0', 8],
    ['127.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
  ] as const),
])
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** Loopback, link-local or of a private network: a proxy or a translator of addresses may stand behind it for many callers. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
