import { unique } from '@pushfleet/testing';
import type { NewPush } from '../pushes/new-push';
import type { StoreUnderTest } from './store-under-test';

interface Sender {
  readonly app: string;
  readonly clock: Pick<StoreUnderTest['clock'], 'now'>;
}

/** A push to everybody as the ingress hands it over. */
export function aPush({ app, clock }: Sender, changes: Partial<NewPush> = {}): NewPush {
  const now = clock.now();
  return {
    app,
    content: { data: { alert: 'hi' }, sections: {} },
    audience: {},
    where: {},
    prod: 'prod',
    pushTime: now,
    expiresAt: now + 3_600_000,
    isScheduled: false,
    ...changes,
  };
}

export async function acceptOne(under: StoreUnderTest, changes: Partial<NewPush> = {}): Promise<string> {
  const [accepted] = await under.store.acceptPushes([aPush(under, changes)]);
  return accepted?.pushId ?? unique('none');
}
