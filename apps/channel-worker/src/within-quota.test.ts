import { DEFAULT_APP_SETTINGS } from '@pushfleet/domain';
import type { PageResult } from './page-calls';
import { withinQuota } from './within-quota';

const devices = ['a', 'b', 'c'].map((objectId) => ({ objectId, registrationId: `r${objectId}` }));
const { limits } = DEFAULT_APP_SETTINGS;
const accepted = { kind: 'accepted' } as const;

interface Given {
  readonly perDay?: number;
  readonly unknowns?: number;
  readonly result?: PageResult;
  /** What is given back is refused. */
  readonly isBroken?: boolean;
}

async function send(left: number, { perDay = 10, unknowns = 0, result, isBroken = false }: Given = {}) {
  const sent: string[] = [];
  const app = { id: 'app', limits: { ...limits, deliveriesPerDay: perDay } };
  let counted = 0;
  const errors: unknown[] = [];
  const giveBack = async (count: number): Promise<void> => {
    if (isBroken) throw new Error('away');
    counted -= count;
  };
  const takeDeliveries = async (...[, want]: readonly [string, number, number]) => {
    counted = Math.min(want, left);
    return { devices: counted, giveBack };
  };
  const ports = { quotas: { takeDeliveries }, onError: (error: unknown) => void errors.push(error) };
  const booked = await withinQuota(ports, { app, devices, unknowns }, async (some) => {
    sent.push(...some.map(({ objectId }) => objectId));
    return result ?? { verdicts: some.map(() => accepted) };
  });
  return { sent, verdicts: booked.verdicts, counted, errors };
}

const refused = { kind: 'discarded', reason: 'quota-exceeded' };

it('everybody is served while the quota lasts', async () => {
  expect(await send(3)).toMatchObject({ sent: ['a', 'b', 'c'], verdicts: [accepted, accepted, accepted] });
});

it('a quota that ends within a batch refuses the rest of it', async () => {
  expect(await send(2)).toMatchObject({ sent: ['a', 'b'], verdicts: [accepted, accepted, refused] });
});

it('without quota nobody is called', async () => {
  expect(await send(0)).toMatchObject({ sent: [], verdicts: [refused, refused, refused] });
});

it('an app without quota takes nothing', async () => {
  expect(await send(0, { perDay: 0 })).toMatchObject({ sent: ['a', 'b', 'c'], counted: 0 });
});

it('a device that an earlier call may have reached is booked as that when the quota is used up', async () => {
  const unknown = { kind: 'failed', reason: 'unknown-outcome' };
  expect((await send(0, { unknowns: 1 })).verdicts).toEqual([unknown, unknown, unknown]);
});

const retry = { pause: 'wait', retryAfterMs: 1000, booksAs: 'vendor-error', words: {} } as const;

it('a page that must be tried again leaves those it was granted open, gives them back and refuses the others', async () => {
  const { verdicts, counted } = await send(1, { result: { verdicts: [undefined], retry } });
  expect([verdicts, counted]).toEqual([[undefined, refused, refused], 0]);
  const part = await send(3, { result: { verdicts: [accepted, undefined, undefined], retry } });
  expect(part.counted).toBe(1);
});

it('a device that its vendor puts off is counted when it is sent, and one that may have been reached at once', async () => {
  const later = { kind: 'deferred', retryAfterMs: 1000 } as const;
  const verdicts = [accepted, { ...later, reason: 'throttled' }, { ...later, reason: 'unknown-outcome' }] as const;
  expect((await send(3, { result: { verdicts: [...verdicts] as PageResult['verdicts'] } })).counted).toBe(2);
});

it('verdicts are kept where nothing can be given back, and the error is told', async () => {
  const result = { verdicts: [accepted, undefined, undefined], retry };
  const { verdicts, errors } = await send(3, { result, isBroken: true });
  expect([verdicts, errors.map(String)]).toEqual([result.verdicts, ['Error: away']]);
});
