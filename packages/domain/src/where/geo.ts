import { isJsonObject, type Json, type JsonObject } from '../json';

interface Point extends JsonObject {
  readonly latitude: number;
  readonly longitude: number;
}

export function isPoint(value: Json | undefined): value is Point {
  return (
    isJsonObject(value) &&
    value['__type'] === 'GeoPoint' &&
    isWithin(value['latitude'], 90) &&
    isWithin(value['longitude'], 180)
  );
}

const isWithin = (degrees: Json | undefined, limit: number): boolean =>
  typeof degrees === 'number' && Math.abs(degrees) <= limit;

/** Radians by unit, as the storage SDKs convert them. */
const RADIANS: Readonly<Record<string, number>> = {
  $maxDistance: 1,
  $maxDistanceInRadians: 1,
  $maxDistanceInKilometers: 1 / 6371,
  $maxDistanceInMiles: 1 / 3958.8,
};

export const DISTANCE_LIMITS = Object.keys(RADIANS);

export const toRadians = (limit: string, distance: number): number => distance * (RADIANS[limit] ?? NaN);

const perDegree = Math.PI / 180;

/** Great-circle distance to a point, in radians; NaN for what is not a point. */
export function distanceTo(point: Point): (value: Json | undefined) => number {
  const latitude = point.latitude * perDegree;
  const longitude = point.longitude * perDegree;
  const cosine = Math.cos(latitude);
  return (value) => {
    if (!isPoint(value)) return NaN;
    const other = value.latitude * perDegree;
    const north = Math.sin((other - latitude) / 2);
    const east = Math.sin((value.longitude * perDegree - longitude) / 2);
    return 2 * Math.asin(Math.min(1, Math.sqrt(north * north + cosine * Math.cos(other) * east * east)));
  };
}

/** Whether a value lies in a box; one whose west is east of its east crosses the date line. */
export function isInBox(southWest: Point, northEast: Point): (value: Json | undefined) => boolean {
  const { latitude: south, longitude: west } = southWest;
  const { latitude: north, longitude: east } = northEast;
  const isBetween =
    west <= east
      ? (longitude: number) => west <= longitude && longitude <= east
      : (longitude: number) => west <= longitude || longitude <= east;
  return (value) => isPoint(value) && south <= value.latitude && value.latitude <= north && isBetween(value.longitude);
}
