import { envDurationMs } from '@pushfleet/service-kit/env-types';
import { InvalidArgumentError } from 'commander';
import { isSegment } from '../api';

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a whole number.');
}

/** In ms, as the environment takes it: `1500`, `20s`, `5m`, `2h`, `7d`. */
export function duration(text: string): number {
  const parsed = envDurationMs().safeParse(text);
  if (parsed.success && parsed.data >= 0) return parsed.data;
  throw new InvalidArgumentError('Must be a duration such as 500ms, 20s, 5m, 2h or 7d.');
}

/** `default`: as the fleet is set up. */
export const wholeNumberOrDefault = (text: string): number | 'default' =>
  text === 'default' ? text : wholeNumber(text);

/** What a path of the API may name. */
export function nameOrId(text: string): string {
  if (isSegment(text)) return text;
  throw new InvalidArgumentError('Must be a name or an id.');
}

export function onOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('Must be on or off.');
}

/** With commas between; an empty text for none. */
export const names = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
