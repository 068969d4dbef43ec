import { families, type KeyFamily } from '../kit/key-family';

/** Which format the data are of, and how far the migration to the next one is. */
export const formatKeys = (namespace: string) => ({ format: (): string => `${namespace}:format` });

export type FormatKeys = ReturnType<typeof formatKeys>;

export const FORMAT_KEYS: readonly KeyFamily[] = families('fleet', 'stays', { 'format of the data': 'format' });
