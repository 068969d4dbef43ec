import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a whole number.');
}

/** `default`: as the fleet is set up. */
export const wholeNumberOrDefault = (text: string): number | 'default' =>
  text === 'default' ? text : wholeNumber(text);

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
