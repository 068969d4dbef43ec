import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { SectionProblem } from './section';
import { checkTap, layOver, objectAt, requireFewer, requireHttps } from './section-objects';

/** What shared code reads from any section. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound']);

/** A number under `badge` is the push's; an object is the vendor's own. */
export const isCommon = (key: string, value: Json): boolean =>
  COMMON.has(key) || (key === 'badge' && !isJsonObject(value));

/** The place in the vendor's message of a field that a sender may write directly into the section. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** The field at its place in the vendor's message. */
export const placed = (places: Places, key: string, value: Json): JsonObject =>
  (Object.hasOwn(places, key) ? (places[key] ?? []) : []).reduceRight<JsonObject>(
    (inner, part) => ({ [part]: inner }),
    { [key]: value },
  );

/** A tap that a sender gives as an action string, or as the object that the vendor takes. */
export function tapOf(value: Json): JsonObject {
  if (typeof value === 'string') return { type: 1, action: value };
  if (!isJsonObject(value)) throw new SectionProblem('action: must be a string or an object');
  return value;
}

/** The vendor's own words in the form of message that several vendors share. */
export interface AndroidWords {
  /** The field that says what a tap does. */
  readonly tap: string;
  /** Where the message stands in a section. */
  readonly prefix: '' | 'message.';
  /** Most entries of a list, by its field. */
  readonly most: Readonly<Record<string, number>>;
}

/** Refuses a notification that the vendor would refuse. */
export function checkAndroid(message: JsonObject, { tap, prefix, most }: AndroidWords): void {
  const common = objectAt(message['notification'], `${prefix}notification`);
  const android = objectAt(message['android'], `${prefix}android`);
  const path = `${prefix}android.notification`;
  const notification = objectAt(android['notification'], path);
  requireHttps(common['image'], `${prefix}notification.image`);
  requireHttps(notification['image'], `${path}.image`);
  for (const [field, max] of Object.entries(most)) requireFewer(notification[field], max, `${path}.${field}`);
  if (notification[tap] !== undefined) checkTap(objectAt(notification[tap], `${path}.${tap}`), `${path}.${tap}`);
}

/** Lays one message upon another, object by object; a tap or a badge, whose fields exclude each other, replaces the other one. */
export const androidMerge = (tap: string): ((base: JsonObject, over: JsonObject) => JsonObject) => {
  const whole = new Set([tap, 'badge']);
  return (base, over) => layOver(base, over, whole);
};
