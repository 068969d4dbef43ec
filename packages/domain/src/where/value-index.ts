import { isJsonObject, type Json, type JsonObject } from '../json';
import { writeJson } from '../limits';
import { equalTo, instantOf, isDate, typedValueOf, type InstantOf } from './typed-values';

/** Lists and objects of fewer are compared one by one, which then costs less than making a text of what is compared. */
const FEW = 4;

/**
 * The values of a list, each once, for look-ups: what a value costs depends on its own size, not on that of the list. A
 * hostile list of a thousand objects against a field of thousands of items would otherwise be millions of comparisons.
 */
export class ValueIndex {
  private readonly plain = new Map<Json | undefined, number>();
  private readonly dates = new Map<number, number>();
  private readonly texts = new Map<string, number>();
  private readonly kinds = new Set<string>();
  private readonly few: (readonly [isSame: (value: Json | undefined) => boolean, place: number])[] = [];
  private count = 0;

  constructor(
    values: readonly Json[],
    private readonly instant: InstantOf,
  ) {
    const composed = values.filter((value) => typeof value === 'object' && value !== null && !isDate(value));
    const areFew = composed.length <= FEW;
    for (const value of values) this.add(value, areFew);
  }

  /** How many different values there are. */
  get size(): number {
    return this.count;
  }

  /** The place of the value in the list; undefined when it is none of them. */
  placeOf(value: Json | undefined): number | undefined {
    if (value === null || typeof value !== 'object') return this.plain.get(value ?? null) ?? this.placeOfDate(value);
    if (isDate(value)) return this.placeOfDate(value);
    for (const [isSame, place] of this.few) if (isSame(value)) return place;
    return this.kinds.has(kindOf(value)) ? this.texts.get(textOf(value, 'of the document')) : undefined;
  }

  /** A plain date is a text that stands for an instant. */
  private placeOfDate(value: Json | undefined): number | undefined {
    return this.dates.size === 0 ? undefined : this.dates.get(this.instant(value));
  }

  private add(value: Json, areFew: boolean): void {
    if (this.placeOf(value) !== undefined) return;
    const place = this.count;
    this.count += 1;
    if (value === null || typeof value !== 'object') this.plain.set(value, place);
    else if (isDate(value)) this.addDate(instantOf(value), place);
    else if (areFew) this.few.push([equalTo(value, this.instant), place]);
    else {
      this.kinds.add(kindOf(value));
      this.texts.set(textOf(value, 'of the list'), place);
    }
  }

  /** A stored value that calls itself a date and has none is equal to nothing. */
  private addDate(ms: number, place: number): void {
    if (!Number.isNaN(ms)) this.dates.set(ms, place);
  }
}

type Composed = readonly Json[] | JsonObject;

function kindOf(value: Composed): string {
  if (!isJsonObject(value)) return 'list';
  return typedValueOf(value['__type']) ? String(value['__type']) : 'object';
}

/** Equal for equal values, whatever the order of keys. What is equal to nothing, not even itself, is marked by its side. */
function textOf(value: Json, side: string): string {
  if (typeof value !== 'object' || value === null) return writeJson(value);
  if (!isJsonObject(value)) return `[${value.map((item) => textOf(item, side)).join(',')}]`;
  const typed = typedValueOf(value['__type']);
  if (typed)
    return `${kindOf(value)}(${typed
      .identityOf(value)
      .map((part) => partOf(part, side))
      .join(',')})`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${textOf(value[key] ?? null, side)}`).join(',')}}`;
}

function partOf(part: Json | undefined, side: string): string {
  if (part === undefined) return 'none';
  return Number.isNaN(part) || (typeof part === 'object' && part !== null) ? side : writeJson(part);
}
