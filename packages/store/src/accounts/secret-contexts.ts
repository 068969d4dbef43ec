import type { KeyOfApp } from '@pushfleet/domain';
import type { SecretContext } from '../kit/sealed-text';

export const appKeyContext = (owner: string, field: KeyOfApp): SecretContext => ({
  kind: 'app-key',
  owner,
  field,
});

/** Of a key that another one took the place of. */
export const replacedKeyContext = (owner: string, field: KeyOfApp): SecretContext => ({
  kind: 'app-key',
  owner,
  field: `replaced ${field}`,
});

export const profileContext = (owner: string, field: string): SecretContext => ({ kind: 'profile', owner, field });

export const accessTokenContext = (owner: string): SecretContext => ({ kind: 'access-token', owner, field: 'token' });
