export { SEALING_KEYS, sealingKeys } from './keys';
export { NO_SEALING, openSealing, type Sealing, type SealingProgress, type SealingStatus } from './sealing';
export { NO_SECRETS, SecretKeys } from './secret-box';
