import { DAY_MS } from '@pushfleet/domain';

const MINUTE_MS = 60_000;
const ZONE_MS = 8 * 60 * MINUTE_MS;
/** Clocks differ: who is still refused so soon after the hour asks again in a minute, not in a day. */
const JUST_AFTER_MS = 10 * MINUTE_MS;

/** Until a minute after the next such hour, in ms after midnight. The vendors count days, and hours of rest, in GMT+8. */
export function untilHourInChina(hourMs: number, now: number): number {
  const since = (now + ZONE_MS - hourMs) % DAY_MS;
  return since < JUST_AFTER_MS ? MINUTE_MS : DAY_MS - since + MINUTE_MS;
}

export const untilMidnightInChina = (now: number): number => untilHourInChina(0, now);
