import { families, type KeyFamily } from '../kit/key-family';

/** What all processes agree on about the key that secrets are sealed with. */
export const sealingKeys = (namespace: string) => ({ sealing: (): string => `${namespace}:sealing` });

export type SealingKeys = ReturnType<typeof sealingKeys>;

export const SEALING_KEYS: readonly KeyFamily[] = families('fleet', 'stays', { 'agreement on SECRET_KEY': 'sealing' });
