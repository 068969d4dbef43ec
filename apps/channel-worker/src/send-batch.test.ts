import { ChannelFault, FAULT_POLICY, type FaultCode, type PushBatch } from '@pushfleet/channel-kit';
import type { Outcome } from '@pushfleet/domain';
import { openDeadlines } from './deadlines';
import { sendBatch, type SendPorts } from './send-batch';
import { type BatchResult, type Later } from './verdict';

type Send = (batch: PushBatch) => readonly Outcome[];

interface Attempt {
  readonly devices?: readonly string[];
  /** Earlier ones, and how many of them count where a few are made only. */
  readonly tries?: number;
  readonly limited?: number;
  readonly isAddressed?: boolean;
}

const batchOf = (registrationIds: readonly string[]): PushBatch => ({
  pushId: 'p',
  batchId: 'p-b',
  message: { title: '', alert: 'x', silent: false, attributes: {}, data: {}, section: {} },
  app: { name: 'app', overlong: 'truncate', intentHost: 'h' },
  registrationIds,
  ttlMs: 1000,
});

/** Sends with a vendor that behaves as told, and keeps what was called and reported. */
async function attempt(send: Send, wish: Attempt = {}) {
  const { devices = ['a', 'b', 'c'], tries = 0, limited = tries, isAddressed = false } = wish;
  const calls: PushBatch[] = [];
  const reported: string[] = [];
  const { signal: cutoff } = new AbortController();
  const ports: SendPorts = {
    cutoff,
    deadlines: openDeadlines({ cutoff, addressedMs: 1000, campaignMs: 1000 }),
    onCall: () => (result) => void reported.push(result),
    onFault: ({ code }) => void reported.push(`fault ${code}`),
    onBug: () => void reported.push('bug'),
  };
  const session = {
    send: async (batch: PushBatch) => {
      calls.push(batch);
      return send(batch);
    },
    verify: async () => ({ ok: true }),
  };
  const repeats = { repeatUnknown: 'default', deduplicates: 'no-call' } as const;
  const opened = { session, receiptKey: 'k', budget: {}, repeats, hasAccepted: false };
  const result = await sendBatch(ports, opened, {
    app: 'app',
    batch: batchOf(devices),
    partId: (places) => `p-${places.join('-')}`,
    ...{ tries, limited, unknowns: 0, isAddressed },
  });
  return { result, calls, reported, opened };
}

const accept: Send = ({ registrationIds }) => registrationIds.map(() => ({ kind: 'accepted' }));
const fail =
  (code: FaultCode, retryAfterMs?: number): Send =>
  () => {
    throw new ChannelFault(code, 'no', { vendorCode: '7', vendorMessage: 'words', retryAfterMs });
  };
const verdictsOf = (result: BatchResult): readonly unknown[] => {
  if (!('verdicts' in result)) throw new Error('verdicts were expected');
  return result.verdicts;
};
const reasonsOf = (result: BatchResult): readonly unknown[] =>
  verdictsOf(result).map((verdict) => (verdict as { reason?: string; kind: string }).reason ?? 'accepted');

test('an answer is the verdict, and shows that the credentials are right', async () => {
  const { result, reported, opened } = await attempt(accept);
  expect(verdictsOf(result)).toHaveLength(3);
  expect([reported, opened.hasAccepted]).toEqual([['answered'], true]);
});

describe.each(Object.entries(FAULT_POLICY))('the fault %s', (code, policy) => {
  test(`leads to ${policy.retry}`, async () => {
    const { result } = await attempt(fail(code as FaultCode, 5), { devices: ['a'] });
    const words = { vendorCode: '7', vendorMessage: 'words' };
    if (policy.retry === 'backoff' || policy.retry === 'wait') {
      const maxTries = 'maxTries' in policy ? policy.maxTries : undefined;
      const { retry: pause, booksAs } = policy;
      expect(result).toEqual({ retry: { pause, retryAfterMs: 5, booksAs, words, maxTries } });
    } else {
      expect(verdictsOf(result)).toEqual([expect.objectContaining({ reason: policy.booksAs, ...words })]);
    }
  });
});

test('an answer that cannot be read is tried five times, then booked', async () => {
  for (const tries of [0, 1, 2, 3])
    expect((await attempt(fail('unrecognised-answer'), { tries })).result).toHaveProperty('retry');
  const { result } = await attempt(fail('unrecognised-answer'), { tries: 4 });
  expect(reasonsOf(result)).toEqual(['unrecognised-answer', 'unrecognised-answer', 'unrecognised-answer']);
});

test('tries of a vendor that was away do not count among the five', async () => {
  expect((await attempt(fail('unrecognised-answer'), { tries: 1000, limited: 3 })).result).toHaveProperty('retry');
});

test('a vendor that is away is tried for as long as the push lives', async () => {
  expect((await attempt(fail('unreachable'), { tries: 1000 })).result).toHaveProperty('retry');
});

test('a defect of ours is reported as one, tried five times, then booked', async () => {
  const broken: Send = () => {
    throw new TypeError('x is not a function');
  };
  const first = await attempt(broken);
  expect(first.reported).toEqual(['internal-error', 'bug']);
  expect(first.result).toHaveProperty('retry.booksAs', 'internal-error');
  expect(reasonsOf((await attempt(broken, { tries: 4 })).result)).toContain('internal-error');
});

describe('a batch that the vendor refuses as a whole', () => {
  const culprits =
    (...bad: readonly string[]): Send =>
    (batch) => {
      if (batch.registrationIds.some((id) => bad.includes(id))) return fail('batch-refused')(batch);
      return accept(batch);
    };

  test('is split until the culprits are alone, and the verdicts keep their order', async () => {
    const { result, calls } = await attempt(culprits('b', 'e'), { devices: ['a', 'b', 'c', 'd', 'e'] });
    expect(reasonsOf(result)).toEqual(['accepted', 'message-rejected', 'accepted', 'accepted', 'message-rejected']);
    const ids = calls.map(({ batchId }) => batchId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('sends nobody twice', async () => {
    const { calls } = await attempt(culprits('c'), { devices: ['a', 'b', 'c', 'd'] });
    const taken = calls.filter(({ registrationIds }) => !registrationIds.includes('c'));
    expect(taken.flatMap(({ registrationIds }) => registrationIds).sort()).toEqual(['a', 'b', 'd']);
  });

  test('defers the part that meets a fault of its own, and keeps the verdicts of the rest', async () => {
    const { result } = await attempt(
      (batch) => {
        if (batch.registrationIds.length > 4) return fail('batch-refused')(batch);
        return batch.registrationIds.includes('h') ? fail('throttled', 30)(batch) : accept(batch);
      },
      { devices: [...'abcdefgh'] },
    );
    const kinds = verdictsOf(result).map((verdict) => (verdict as { kind: string }).kind);
    expect(kinds.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
    expect(verdictsOf(result)[7]).toMatchObject({ kind: 'deferred', retryAfterMs: 30, reason: 'expired' });
  });

  test('is not tried again as a whole when the vendor may have taken a device of it', async () => {
    let calls = 0;
    const { result } = await attempt(
      (batch) => {
        calls += 1;
        return fail(calls === 1 ? 'batch-refused' : calls === 2 ? 'unknown-outcome' : 'vendor-error')(batch);
      },
      { devices: many(20) },
    );
    const reasons = reasonsOf(result);
    expect([calls, reasons.filter((reason) => reason === 'unknown-outcome')]).toEqual([3, ['unknown-outcome']]);
    const kinds = verdictsOf(result).map((verdict) => (verdict as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === 'deferred')).toHaveLength(19);
  });

  test.each([
    ['a single device', 2, 1],
    ['a half', 3, 10],
  ])('is known for %s that may have got an addressed message, and for no other', async (_, unanswered, count) => {
    let calls = 0;
    const { result } = await attempt(
      (batch) => {
        calls += 1;
        if (calls === 1) return fail('batch-refused')(batch);
        return calls === unanswered ? fail('unknown-outcome')(batch) : accept(batch);
      },
      { devices: many(20), isAddressed: true },
    );
    const unknown = verdictsOf(result).filter((verdict) => (verdict as Later).isUnknown);
    expect(unknown).toHaveLength(count);
    expect(reasonsOf(result).filter((reason) => reason === 'unknown-outcome')).toHaveLength(count);
  });

  test('is tried again as a whole when the vendor wants a pause before it has taken anybody', async () => {
    let calls = 0;
    const { result } = await attempt(
      (batch) => {
        calls += 1;
        return fail(calls < 3 ? 'batch-refused' : 'throttled', 30)(batch);
      },
      { devices: many(100) },
    );
    expect([result, calls]).toEqual([{ retry: expect.objectContaining({ pause: 'wait', retryAfterMs: 30 }) }, 3]);
  });
});

const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

describe('of a batch that is refused as a whole', () => {
  const SIZES = [2, 3, 5, 10, 100, 1000];
  const refused = (code: string) => (): never => {
    throw new ChannelFault('batch-refused', 'no', { vendorCode: code, vendorMessage: 'words' });
  };

  test.each(SIZES)('with a message that nobody may get, %d devices cost few calls', async (size) => {
    const { result, calls } = await attempt(fail('batch-refused'), { devices: many(size) });
    expect(calls.length).toBeLessThanOrEqual(2 * Math.log2(size) + 4);
    expect(new Set(reasonsOf(result))).toEqual(new Set(['message-rejected']));
    expect(verdictsOf(result)).toHaveLength(size);
    expect(verdictsOf(result).at(-1)).toMatchObject({ vendorCode: '7', vendorMessage: 'words' });
  });

  test.each(SIZES)('with one bad device of %d, the others are sent to, each once', async (size) => {
    for (const place of new Set([0, 1, Math.floor(size / 2), size - 1])) {
      const culprit = `d${place}`;
      const { result, calls } = await attempt(
        (batch) => (batch.registrationIds.includes(culprit) ? refused('7')() : accept(batch)),
        { devices: many(size) },
      );
      const expected = many(size).map((id) => (id === culprit ? 'message-rejected' : 'accepted'));
      expect(reasonsOf(result)).toEqual(expected);
      const sent = calls.flatMap(({ registrationIds: ids }) => (ids.includes(culprit) ? [] : ids));
      expect(sent.sort()).toEqual(
        many(size)
          .filter((id) => id !== culprit)
          .sort(),
      );
      expect(new Set(calls.map(({ batchId }) => batchId)).size).toBe(calls.length);
      expect(calls.length).toBeLessThanOrEqual(2 * Math.log2(size) + 5);
    }
  });

  test.each([
    ['a dozen side by side', Array.from({ length: 12 }, (_, n) => 500 + n)],
    ['a dozen where one is looked first', Array.from({ length: 12 }, (_, i) => Math.floor(((i + 0.5) * 1000) / 13))],
    ['one in twenty', Array.from({ length: 50 }, (_, n) => n * 20 + 7)],
  ])('with %s bad, exactly these are left out', async (_, places) => {
    const bad = new Set(places.map((place) => `d${place}`));
    const { result } = await attempt(
      (batch) => (batch.registrationIds.some((id) => bad.has(id)) ? refused('7')() : accept(batch)),
      { devices: many(1000) },
    );
    const expected = many(1000).map((id) => (bad.has(id) ? 'message-rejected' : 'accepted'));
    expect(reasonsOf(result)).toEqual(expected);
  });

  test('a dead device is no sign that the message is fine, and is found dead all the same', async () => {
    const { result, calls } = await attempt(
      (batch) =>
        batch.registrationIds.join() === 'd5'
          ? [{ kind: 'discarded', reason: 'registration-gone' }]
          : fail('batch-refused')(batch),
      { devices: many(100) },
    );
    expect(calls.length).toBeLessThan(20);
    const expected = many(100).map((id) => (id === 'd5' ? 'registration-gone' : 'message-rejected'));
    expect(reasonsOf(result)).toEqual(expected);
  });

  test('a vendor that has other words for a single device is understood as well', async () => {
    const send: Send = (batch) =>
      fail(batch.registrationIds.length === 1 ? 'message-rejected' : 'batch-refused')(batch);
    const { result, calls } = await attempt(send, { devices: many(1000) });
    expect(calls.length).toBeLessThanOrEqual(2 * Math.log2(1000) + 4);
    expect(new Set(reasonsOf(result))).toEqual(new Set(['message-rejected']));
  });
});
