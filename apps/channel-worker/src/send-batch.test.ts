import { ChannelFault, FAULT_POLICY, type FaultCode, type PushBatch } from '@pushfleet/channel-kit';
import type { Outcome } from '@pushfleet/domain';
import { sendBatch, type BatchResult, type SendPorts } from './send-batch';

type Send = (batch: PushBatch) => readonly Outcome[];

interface Attempt {
  readonly devices?: readonly string[];
  readonly tries?: number;
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
async function attempt(send: Send, { devices = ['a', 'b', 'c'], tries = 0 }: Attempt = {}) {
  const calls: PushBatch[] = [];
  const reported: string[] = [];
  const ports: SendPorts = {
    cutoff: new AbortController().signal,
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
  const opened = { session, receiptKey: 'k', hasAccepted: false };
  const result = await sendBatch(ports, opened, { batch: batchOf(devices), tries });
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
      expect(result).toEqual({ retry: { pause: policy.retry, retryAfterMs: 5, booksAs: policy.booksAs, words } });
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
        if (batch.registrationIds.length > 2) return fail('batch-refused')(batch);
        return batch.registrationIds.includes('a') ? fail('throttled', 30)(batch) : accept(batch);
      },
      { devices: ['a', 'b', 'c', 'd'] },
    );
    expect(verdictsOf(result)).toEqual([
      expect.objectContaining({ kind: 'deferred', retryAfterMs: 30, reason: 'expired' }),
      expect.objectContaining({ kind: 'deferred', retryAfterMs: 30, reason: 'expired' }),
      { kind: 'accepted' },
      { kind: 'accepted' },
    ]);
  });
});
