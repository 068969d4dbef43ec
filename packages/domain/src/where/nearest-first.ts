import { isJsonObject, type Json, type JsonObject } from '../json';
import { distanceTo, isPoint } from './geo';
import { orItem, readPath, someAt } from './path';

/** Orders documents by their distance to the point of a parsed `where`; undefined when it names none. */
export function nearestFirst(where: JsonObject): ((a: JsonObject, b: JsonObject) => number) | undefined {
  const distance = distanceIn(where);
  return distance && ((a, b) => distance(a) - distance(b));
}

/** The farthest point is nearer than no point. */
const NOWHERE = 4;

function distanceIn(where: JsonObject): ((doc: JsonObject) => number) | undefined {
  for (const [key, value] of Object.entries(where)) {
    const found = key === '$and' ? firstDistance(value as readonly JsonObject[]) : distanceAt(key, value);
    if (found) return found;
  }
  return undefined;
}

function firstDistance(branches: readonly JsonObject[]): ((doc: JsonObject) => number) | undefined {
  for (const branch of branches) {
    const found = distanceIn(branch);
    if (found) return found;
  }
  return undefined;
}

function distanceAt(field: string, condition: Json): ((doc: JsonObject) => number) | undefined {
  const point = isJsonObject(condition) ? condition['$nearSphere'] : undefined;
  if (!isPoint(point)) return undefined;
  const distance = distanceTo(point);
  let least = NOWHERE;
  const measure = someAt(
    readPath(field),
    orItem((value) => {
      const found = distance(value);
      if (found < least) least = found;
      return false;
    }),
  );
  return (doc) => {
    least = NOWHERE;
    measure(doc);
    return least;
  };
}
