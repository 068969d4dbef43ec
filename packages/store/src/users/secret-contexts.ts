import type { SecretContext } from '../kit/sealed-text';

export const macKeyContext = (of: { userId: string; clientId: string; id: string }): SecretContext => ({
  kind: 'mac-key',
  owner: of.userId,
  field: `${of.clientId}/${of.id}`,
});

/** There is one in a fleet. */
export const ACCOUNT_KEY_CONTEXT: SecretContext = { kind: 'account-key', owner: 'fleet', field: 'key' };
