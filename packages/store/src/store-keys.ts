import { accountKeys } from './accounts';
import { formatKeys } from './format';
import { installationKeys } from './installations';
import { kitKeys } from './kit/keys';
import { messagingKeys } from './messaging';
import { ownChannelKeys } from './own-channel';
import { pacingKeys } from './pacing';
import { preflightKeys } from './preflights';
import { processKeys } from './fleet';
import { pushKeys } from './pushes';
import { sealingKeys } from './sealing';
import { userKeys } from './users';

/** Every key of the store, as its room spells it. */
export const storeKeys = (namespace: string) => ({
  ...kitKeys(namespace),
  ...accountKeys(namespace),
  ...formatKeys(namespace),
  ...installationKeys(namespace),
  ...messagingKeys(namespace),
  ...ownChannelKeys(namespace),
  ...pacingKeys(namespace),
  ...preflightKeys(namespace),
  ...processKeys(namespace),
  ...pushKeys(namespace),
  ...sealingKeys(namespace),
  ...userKeys(namespace),
});

export type StoreKeys = ReturnType<typeof storeKeys>;
