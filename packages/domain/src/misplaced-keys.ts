import { isJsonObject, type JsonObject } from './json';
import { MOST_NAMES } from './misspelled-keys';
import type { PushWarning } from './push-warnings';

interface Misplaced {
  /** The whole body, as it was sent. */
  readonly body: JsonObject;
  /** Its data without the sections. */
  readonly data: JsonObject;
  /** What the call reads beside the data alone. */
  readonly parameters: readonly string[];
  readonly sections: readonly string[];
}

const AN_ATTRIBUTE = 'is an attribute for the app here;';

/**
 * Keys of the data that look like a parameter or a section and are an attribute: with its `where` in there, a push goes to
 * everybody.
 */
export function misplacedKeys({ body, data, parameters, sections }: Misplaced): readonly PushWarning[] {
  const isParameter = new Set(parameters.filter((name) => body[name] === undefined));
  const bySmallLetters = new Map(sections.map((name) => [name.toLowerCase(), name]));
  const found = Object.entries(data).flatMap(([name, value]): readonly PushWarning[] => {
    const path = `data.${name}`;
    if (isParameter.has(name)) return [{ path, message: `${AN_ATTRIBUTE} the parameter stands beside data` }];
    const section = isJsonObject(value) ? bySmallLetters.get(name.toLowerCase()) : undefined;
    return section === undefined ? [] : [{ path, message: `${AN_ATTRIBUTE} the section is called ${section}` }];
  });
  return found.slice(0, MOST_NAMES);
}
