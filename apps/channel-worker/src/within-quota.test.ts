import { DEFAULT_APP_SETTINGS } from '@pushfleet/domain';
import type { PageResult } from './page-calls';
import { withinQuota } from './within-quota';

const devices = ['a', 'b', 'c'].map((objectId) => ({ objectId, registrationId: `r${objectId}` }));
const { limits } = DEFAULT_APP_SETTINGS;
const accepted = { kind: 'accepted' } as const;

async function send(
  left: number,
  { perDay = 10, tries = 0, result }: { perDay?: number; tries?: number; result?: PageResult } = {},
) {
  const sent: string[] = [];
  const app = { id: 'app', limits: { ...limits, deliveriesPerDay: perDay } };
  const quotas = { takeDeliveries: async (...[, want]: readonly [string, number, number]) => Math.min(want, left) };
  const booked = await withinQuota(quotas, { app, devices, tries }, async (some) => {
    sent.push(...some.map(({ objectId }) => objectId));
    return result ?? { verdicts: some.map(() => accepted) };
  });
  return { sent, verdicts: booked.verdicts };
}

const refused = { kind: 'discarded', reason: 'quota-exceeded' };

it('everybody is served while the quota lasts', async () => {
  expect(await send(3)).toEqual({ sent: ['a', 'b', 'c'], verdicts: [accepted, accepted, accepted] });
});

it('a quota that ends within a batch refuses the rest of it', async () => {
  expect(await send(2)).toEqual({ sent: ['a', 'b'], verdicts: [accepted, accepted, refused] });
});

it('without quota nobody is called', async () => {
  expect(await send(0)).toEqual({ sent: [], verdicts: [refused, refused, refused] });
});

it('an app without quota and a second try take nothing', async () => {
  expect((await send(0, { perDay: 0 })).sent).toEqual(['a', 'b', 'c']);
  expect((await send(0, { tries: 1 })).sent).toEqual(['a', 'b', 'c']);
});

it('a page that must be tried again leaves those it was granted open and refuses the others', async () => {
  const retry = { pause: 'wait', retryAfterMs: 1000, booksAs: 'vendor-error', words: {} } as const;
  const { verdicts } = await send(1, { result: { verdicts: [undefined], retry } });
  expect(verdicts).toEqual([undefined, refused, refused]);
});
