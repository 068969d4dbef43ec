import { CallLimit, type CallEnd } from './call-limit';

const MOST = 128;
const START = 1_900_000_000_000;

interface Answer {
  readonly afterMs: number;
  readonly end?: CallEnd;
}

interface Run {
  /** Calls that ended, by how. */
  readonly ends: Readonly<Record<CallEnd, number>>;
  /** The limit over time, by the millisecond. */
  limitAt(ms: number): number;
  readonly most: number;
  /** The most calls that the vendor had at once. */
  readonly peak: number;
}

interface Scene {
  readonly forMs: number;
  readonly limit?: CallLimit;
  /** Calls that somebody wants at a time; absent: as many as may be. */
  readonly wanted?: (ms: number) => number;
  readonly vendor: (inFlight: number, ms: number) => Answer;
}

/** Everybody calls as soon as the limit allows it, by a clock that nobody waits for. */
function simulate({ forMs, limit = new CallLimit(MOST), wanted = () => Infinity, vendor }: Scene): Run {
  const ends = { answered: 0, throttled: 0, lost: 0 };
  const limits: number[] = [];
  let peak = 0;
  let underWay: {
    endedAt: number;
    end: CallEnd;
    ended: ReturnType<CallLimit['begin']>;
  }[] = [];
  for (let ms = 0; ms < forMs; ms += 1) {
    const now = START + ms;
    const over = underWay.filter(({ endedAt }) => endedAt <= now);
    underWay = underWay.filter(({ endedAt }) => endedAt > now);
    for (const call of over) {
      ends[call.end] += 1;
      call.ended(call.endedAt, call.end);
    }
    while (underWay.length < wanted(ms)) {
      if (underWay.length >= limit.at(now)) {
        limit.refused();
        break;
      }
      const { afterMs, end = 'answered' } = vendor(underWay.length + 1, ms);
      underWay.push({ endedAt: now + Math.max(1, afterMs), end, ended: limit.begin(now) });
      peak = Math.max(peak, underWay.length);
    }
    limits.push(limit.at(now));
  }
  return { ends, peak, most: limits.reduce((a, b) => Math.max(a, b)), limitAt: (ms) => limits[ms] ?? NaN };
}

/** A vendor that works on so many calls at once and lets the others wait. */
const withPlaces =
  (places: number, callMs: number) =>
  (inFlight: number): Answer => ({ afterMs: callMs * Math.max(1, inFlight / places) });

test.each([50, 200, 300])('a vendor of %i ms that takes everything soon gets all that is allowed', (callMs) => {
  const run = simulate({ forMs: 20 * callMs, vendor: () => ({ afterMs: callMs }) });
  expect(run.limitAt(0)).toBe(16);
  expect(run.limitAt(7 * callMs)).toBe(MOST);
  expect(run.ends.answered).toBeGreaterThan(0.7 * MOST * 20);
});

test('a profile begins with few calls, and has no more than twice as many a round later', () => {
  const { limitAt } = simulate({ forMs: 1000, vendor: () => ({ afterMs: 200 }) });
  const grown = Array.from({ length: 799 }, (_, ms) => limitAt(ms + 200) / limitAt(ms));
  expect(Math.max(...grown)).toBe(2);
  expect(limitAt(199)).toBe(16);
});

test('a vendor that answers at once is not pressed by more calls than it needs', () => {
  // Whoever builds the calls builds one in two milliseconds.
  const { limitAt, ends } = simulate({ forMs: 5000, vendor: (inFlight) => ({ afterMs: 2 * inFlight }) });
  expect(limitAt(4999)).toBeLessThan(64);
  expect(limitAt(4999)).toBeGreaterThanOrEqual(8);
  expect(ends.answered).toBeGreaterThan(2000);
});

test('who wants few calls is not given more', () => {
  const run = simulate({ forMs: 5000, wanted: () => 10, vendor: () => ({ afterMs: 200 }) });
  expect([run.most, run.peak]).toEqual([16, 10]);
});

test('rising latency stops the growth near what the vendor works on', () => {
  const run = simulate({ forMs: 20_000, vendor: withPlaces(24, 200) });
  expect(run.peak).toBeLessThanOrEqual(64);
  const limits = Array.from({ length: 15_000 }, (_, ms) => run.limitAt(5000 + ms));
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(24);
  expect(Math.max(...limits)).toBeLessThanOrEqual(64);
  expect(run.ends.answered).toBeGreaterThan(0.85 * 24 * 5 * 20);
});

test('a vendor whose latency falls off a cliff is kept near its edge', () => {
  const cliff = (inFlight: number): Answer => ({ afterMs: 100 * Math.max(1, (inFlight / 40) ** 3) });
  const { ends, limitAt } = simulate({ forMs: 60_000, vendor: cliff });
  expect(Math.max(...Array.from({ length: 50_000 }, (_, ms) => limitAt(10_000 + ms)))).toBeLessThanOrEqual(60);
  expect(ends.answered).toBeGreaterThan(0.5 * 40 * 10 * 60);
});

test('a vendor that refuses more than so many calls is asked for about as many', () => {
  const busy = (inFlight: number): Answer => (inFlight > 32 ? { afterMs: 20, end: 'throttled' } : { afterMs: 100 });
  const { ends, limitAt } = simulate({ forMs: 60_000, vendor: busy });
  expect(ends.throttled).toBeLessThan(0.03 * ends.answered);
  expect(ends.answered).toBeGreaterThan(0.6 * 32 * 10 * 60);
  expect(limitAt(59_999)).toBeGreaterThanOrEqual(16);
});

test('a dead vendor is left with a single call, and a living one has its calls back within a few rounds', () => {
  const dies = (_: number, ms: number): Answer =>
    ms > 3000 && ms < 20_000 ? { afterMs: 1000, end: 'lost' } : { afterMs: 100 };
  const { limitAt } = simulate({ forMs: 30_000, vendor: dies });
  expect([limitAt(2999), limitAt(15_000)]).toEqual([MOST, 1]);
  expect(limitAt(24_000)).toBeGreaterThanOrEqual(MOST / 2);
});

test('one late call of many changes nothing', () => {
  let calls = 0;
  const { limitAt } = simulate({
    forMs: 10_000,
    vendor: () => ({ afterMs: (calls += 1) % 20 === 0 ? 2000 : 100 }),
  });
  expect(new Set(Array.from({ length: 7000 }, (_, ms) => limitAt(3000 + ms)))).toEqual(new Set([MOST]));
});

test('a vendor that is slower for good has its calls back', () => {
  const slows = (_: number, ms: number): Answer => ({ afterMs: ms < 5000 ? 50 : 400 });
  const { limitAt } = simulate({ forMs: 15_000, vendor: slows });
  expect(limitAt(6000)).toBeLessThan(32);
  expect(limitAt(12_000)).toBe(MOST);
});

test('after a pause a profile begins with few calls again, and gets on as quickly', () => {
  const limit = new CallLimit(MOST);
  const pause = (ms: number): number => (ms > 3000 && ms < 15_000 ? 0 : Infinity);
  const { limitAt } = simulate({ forMs: 17_000, limit, wanted: pause, vendor: () => ({ afterMs: 200 }) });
  expect(limitAt(2999)).toBe(MOST);
  expect(limitAt(16_400)).toBe(MOST);
});

test('a ceiling below the first calls holds', () => {
  const { most, peak } = simulate({ forMs: 2000, limit: new CallLimit(4), vendor: () => ({ afterMs: 50 }) });
  expect([most, peak]).toEqual([4, 4]);
});

test('after a pause a limit that refusals cut stays where they left it', () => {
  const limit = new CallLimit(MOST);
  limit.begin(START)(START + 20, 'throttled');
  expect(limit.at(START + 20)).toBe(8);
  expect(limit.at(START + 60_000)).toBe(8);
});

test('a call that does not come about leaves its place in the round to another', () => {
  const limit = new CallLimit(MOST);
  for (const ms of [0, 1, 2]) limit.begin(START + ms)(START + ms, 'throttled');
  expect(limit.present).toBe(2);
  const [first, second] = [limit.begin(START), limit.begin(START)];
  limit.refused();
  first(START + 100, 'answered');
  const third = limit.begin(START + 100);
  second(START + 110);
  const fourth = limit.begin(START + 110);
  third(START + 200, 'answered');
  expect(limit.present).toBe(2);
  fourth(START + 210, 'answered');
  expect(limit.present).toBe(4);
});
