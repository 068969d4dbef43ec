import { DAY_MS, fatesOf, writeJson, type App, type JsonObject } from '@pushfleet/domain';
import { fateRules } from './fate-rules';
import type { ConsolePorts } from './ports';
import { reachOf, vendorsOf, type Reach } from './reach';

export interface SliceRequest {
  /** objectId of the last one of the slice before. */
  readonly after: string | undefined;
  /** Whose values are counted. */
  readonly column: string;
}

/** What some of the devices of an app are, counted; slices are added up by whoever asks. */
export interface AudienceSlice {
  readonly lookedAt: number;
  /** Absent when these were the last ones; behind it there may be none. */
  readonly cursor?: string;
  readonly reach: readonly Reach[];
  readonly profiles: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, number>>;
  /** By the days since their last save, `older` than the last of them. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Read by one request: some tens of milliseconds of Redis and of this process. */
const DEVICES = 2000;
/** Held at once: a device may have 64 KB. */
const AT_ONCE = 200;
const DAYS = [1, 7, 30, 90] as const;
/** More values than this are told as one. */
const MAX_VALUES = 100;
const MAX_CHARACTERS = 60;

export async function audienceSlice(
  ports: ConsolePorts,
  app: App,
  { after, column }: SliceRequest,
): Promise<AudienceSlice> {
  const now = ports.now();
  const rules = {
    fateOf: fatesOf(await fateRules(ports, app)),
    vendors: vendorsOf(ports),
    staleBefore: now - ports.staleAfterMs,
  };
  const kinds = new Map<string, Reach>();
  const [profiles, values, seen] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  let [cursor, lookedAt]: [string | undefined, number] = [undefined, 0];
  for await (const portion of ports.store.installations.portions({ app: app.id, after, atOnce: AT_ONCE })) {
    const docs = portion.slice(0, DEVICES - lookedAt) as readonly JsonObject[];
    reachOf(docs, rules, kinds);
    count(profiles, docs, (doc) => wordOf(doc['deviceProfile'] ?? '_default'));
    count(values, docs, (doc) => wordOf(doc[column]));
    count(seen, docs, (doc) => ageOf(doc, now));
    lookedAt += docs.length;
    if (lookedAt === DEVICES) {
      cursor = String(docs.at(-1)?.['objectId']);
      break;
    }
  }
  return {
    lookedAt,
    ...(cursor === undefined ? {} : { cursor }),
    reach: [...kinds.values()],
    profiles: Object.fromEntries(profiles),
    values: Object.fromEntries(values),
    seen: Object.fromEntries(seen),
  };
}

function count(counts: Map<string, number>, docs: readonly JsonObject[], wordFor: (doc: JsonObject) => string): void {
  for (const doc of docs) {
    const word = wordFor(doc);
    const name = counts.has(word) || counts.size < MAX_VALUES ? word : 'others';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

function wordOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  const text = typeof value === 'string' ? value : writeJson(value);
  return text.slice(0, MAX_CHARACTERS);
}

function ageOf(doc: JsonObject, now: number): string {
  const age = now - Date.parse(String(doc['updatedAt'] ?? doc['createdAt']));
  const days = DAYS.find((most) => age < most * DAY_MS);
  return days === undefined ? 'older' : String(days);
}
