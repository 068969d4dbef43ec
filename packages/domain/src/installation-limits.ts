import { channelsOf } from './channels-of';
import type { JsonObject } from './json';
import { jsonText, levelsOf, LIMITS, nestsDeeper, overLimit, type InputLimit } from './limits';

/** A version of an installation as the limits see it. */
interface Measured {
  readonly doc: JsonObject;
  readonly text: string;
}

type Measure = (version: Measured) => number;

const namesOf = ({ doc }: Measured): readonly string[] => channelsOf(doc);

/** What is measured of a version; a version over a limit is refused unless the one before measured as much. */
const MEASURES: readonly (readonly [limit: InputLimit, measure: Measure])[] = [
  ['installationBytes', ({ text }) => Buffer.byteLength(text)],
  ['installationFields', ({ doc }) => Object.keys(doc).length],
  ['installationLevels', ({ doc, text }) => (nestsDeeper(text, LEVELS) ? levelsOf(doc) : 0)],
  ['channels', (version) => namesOf(version).length],
  ['channelBytes', (version) => namesOf(version).reduce((sum, name) => sum + Buffer.byteLength(name), 0)],
];

const LEVELS = LIMITS.installationLevels.value;

/**
 * Throws `InvalidInput` when a version of an installation holds more than it may. What came before a limit stays, and may
 * be saved again: only what grows beyond a limit is refused.
 */
export function checkInstallation(next: JsonObject, former?: JsonObject): void {
  const version = measured(next);
  const over = MEASURES.filter(([limit, measure]) => measure(version) > LIMITS[limit].value);
  if (over.length === 0) return;
  const before = former && measured(former);
  for (const [limit, measure] of over) {
    if (before === undefined || measure(version) > Math.max(measure(before), LIMITS[limit].value))
      throw overLimit(limit, 'an installation may hold');
  }
}

const measured = (doc: JsonObject): Measured => ({ doc, text: jsonText(doc) });
