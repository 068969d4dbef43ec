/// <reference types="jest" />
import type { DiscardReason } from '@pushfleet/domain';
import type { PushBatch } from '../vendor-session';
import type { SessionRig } from './session-rig';

const { signal } = new AbortController();

/** The batch is discarded whole, and the vendor hears nothing of it. */
export async function expectUnsent(
  { session, http }: SessionRig,
  batch: PushBatch,
  reason: DiscardReason,
): Promise<void> {
  const outcomes = await session.send(batch, signal);
  expect(outcomes).toMatchObject(batch.registrationIds.map(() => ({ kind: 'discarded', reason })));
  expect(http.requests).toEqual([]);
}

/** Right credentials are told from wrong ones by one GET, which sends no message. */
export async function expectChecked(
  { right, wrong }: { readonly right: SessionRig; readonly wrong: SessionRig },
  { path, vendorCode }: { readonly path: string; readonly vendorCode: string },
): Promise<void> {
  await expect(right.session.verify(signal)).resolves.toEqual({ ok: true });
  expect(right.http.requests).toMatchObject([{ method: 'GET', path }]);
  expect(right.http.sent).toEqual([]);
  await expect(wrong.session.verify(signal)).resolves.toMatchObject({ ok: false, vendorCode });
}
