import type { SecretContext } from '../kit/sealed-text';

export const appKeyContext = (owner: string, field: 'key' | 'masterKey'): SecretContext => ({
  ...{ kind: 'app-key', owner, field },
});

export const profileContext = (owner: string, field: string): SecretContext => ({ kind: 'profile', owner, field });

export const accessTokenContext = (owner: string): SecretContext => ({ kind: 'access-token', owner, field: 'token' });
