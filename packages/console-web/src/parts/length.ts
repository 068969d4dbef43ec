import type { Language } from '../words/language';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in the largest unit that it has one of, as people of the language write it. */
export function lengthOf(seconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1];
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  });
  return format.format(Math.ceil(seconds / length));
}
