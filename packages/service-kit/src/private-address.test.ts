import { isPrivateAddress } from './private-address';

it.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.0.9', '::1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1'])(
  '%s is private',
  (address) => expect(isPrivateAddress(address)).toBe(true),
);

it.each(['203.0.113.7', '172.32.0.1', '8.8.8.8', '2001:db8::1', '::ffff:8.8.8.8', '', 'nonsense'])(
  '%j is not',
  (address) => expect(isPrivateAddress(address)).toBe(false),
);
