import { DAY_MS } from '@pushfleet/domain';

const ZONE_MS = 8 * 3_600_000;

/** The vendors count days, and hours of rest, in GMT+8. */
export const sinceMidnightInChina = (now: number): number => (now + ZONE_MS) % DAY_MS;

export const untilMidnightInChina = (now: number): number => DAY_MS - sinceMidnightInChina(now);
