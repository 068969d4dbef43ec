import { families, type KeyFamily } from '../kit/key-family';

export function userKeys(namespace: string) {
  const user = (userId: string): string => `${namespace}:u:{u:${userId}}`;
  return {
    user,
    /** Digests of the tokens that were issued for a user. */
    tokensOf: (userId: string): string => `${user(userId)}:tokens`,
    macToken: (digest: string): string => `${namespace}:mac:{${digest}}`,
    /** What openids and unionids are made from, under seal. */
    accountKey: (): string => `${namespace}:account-key`,
    client: (clientId: string): string => `${namespace}:client:{${clientId}}`,
    /** What a MAC token signed in one period. */
    nonces: (tokenId: string, period: number): string => `${namespace}:nonce:{${tokenId}}:${period}`,
    failures: (digest: string): string => `${namespace}:failures:{${digest}}`,
  };
}

export type UserKeys = ReturnType<typeof userKeys>;

export const USER_KEYS: readonly KeyFamily[] = families('user', 'stays', {
  users: 'u:\\{u:[^}]+\\}',
  'tokens of users': 'u:\\{u:[^}]+\\}:tokens',
  'MAC tokens': 'mac:\\{[^}]+\\}',
  clients: 'client:\\{[^}]+\\}',
  'key of account ids': 'account-key',
  nonces: 'nonce:\\{[^}]+\\}:\\d+',
  'failed look-ups': 'failures:\\{[^}]+\\}',
});
