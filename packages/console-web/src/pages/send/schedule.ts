import type { Draft } from './draft';

export type Due = Pick<Draft, 'isLater' | 'sendAt'>;

/** The push API sends at once what is due within a minute; a push is on its way for some seconds at most. */
const LEAST_AHEAD_MS = 75_000;

/** Whether a push that is to be sent later would be sent at once; a time that is none is not sent at all. */
export const isTooSoon = ({ isLater, sendAt }: Due, now: number): boolean =>
  isLater && new Date(sendAt).getTime() - now < LEAST_AHEAD_MS;
