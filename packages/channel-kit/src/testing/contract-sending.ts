/// <reference types="jest" />
import type { JsonObject, Outcome } from '@pushfleet/domain';
import {
  APP_NAME,
  devices,
  expectDiscards,
  kindsOf,
  openTrial,
  openWarmTrial,
  PUSH_ID,
  type BatchWish,
  type Subject,
  type Trial,
} from './contract-rig';

const accepted = (count: number): string[] => Array.from({ length: count }, () => 'accepted');

export function describeSending(subject: Subject): void {
  const { capabilities } = subject.channel;

  it('a notification to some devices gives as many accepted outcomes', async () => {
    const { send, http } = openTrial(subject);
    const registrationIds = devices(Math.min(5, capabilities.maxBatch));
    expect(kindsOf(await send({ registrationIds }))).toEqual(accepted(registrationIds.length));
    expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(registrationIds);
  });

  it('a full batch is accepted in one call', async () => {
    const { send, http } = openTrial(subject);
    const registrationIds = devices(capabilities.maxBatch);
    expect(kindsOf(await send({ registrationIds }))).toEqual(accepted(registrationIds.length));
    expect(http.sent).toHaveLength(1);
    expect(http.sent[0]?.registrationIds).toEqual(registrationIds);
  });

  it('the push id reaches the vendor', async () => {
    const { send, http } = openTrial(subject);
    await send();
    expect(http.sent[0]?.pushId).toBe(PUSH_ID);
  });

  it('a message without a title shows the name of the app', async () => {
    const { send, http } = openTrial(subject);
    expect(kindsOf(await send({ data: { alert: 'Hello' } }))).toEqual(['accepted']);
    expect(JSON.stringify(http.sent[0]?.message)).toContain(APP_NAME);
  });

  it('a repeated batch is the same request, idempotency key included', async () => {
    const { send, http } = openTrial(subject);
    await send();
    await send();
    const [first, second] = http.requests.slice(-2);
    expect(second?.path).toBe(first?.path);
    expect(second?.body).toBe(first?.body);
  });

  it.each([1, 400 * 86_400_000])('a life of %d ms is brought into the range of the vendor', async (ttlMs) => {
    expect(kindsOf(await openTrial(subject).send({ ttlMs }))).toEqual(['accepted']);
  });

  it('a badge is accepted, whether or not the vendor shows it', async () => {
    for (const badge of [0, 7, 'Increment']) {
      expect(kindsOf(await openTrial(subject).send({ data: { alert: 'Hello', badge } }))).toEqual(['accepted']);
    }
  });

  describeDeadRegistrations(subject);
  describeSilence(subject);
  describeSize(subject);
}

function describeDeadRegistrations(subject: Subject): void {
  const { maxBatch } = subject.channel.capabilities;

  function expectGone(outcome: Outcome | undefined): void {
    expect(outcome).toMatchObject({ kind: 'discarded', reason: 'registration-gone' });
    expect(outcome).toHaveProperty('vendorMessage', expect.stringMatching(/\S/));
  }

  it.each(['gone-1', 'bad-1'])('the single registration %s is gone, in words of the vendor', async (id) => {
    const [outcome] = await openTrial(subject).send({ registrationIds: [id] });
    expectGone(outcome);
  });

  if (maxBatch === 1) return;

  it.each(['gone-1', 'bad-1'])('the registration %s does not fail its neighbours', async (id) => {
    const { send, http } = openTrial(subject);
    const outcomes = await send({ registrationIds: ['reg-1', id, 'reg-2', 'reg-3'] });
    expect(kindsOf(outcomes)).toEqual(['accepted', 'discarded', 'accepted', 'accepted']);
    expectGone(outcomes[1]);
    expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['reg-1', 'reg-2', 'reg-3']);
  });

  it('a vendor that takes a batch for a part of its devices leaves every device a verdict of its own', async () => {
    const { send, http, sendPath } = await openWarmTrial(subject, 4);
    const before = http.sent.length;
    http.misbehave({ kind: 'partial', path: sendPath });
    const outcomes = await send({ registrationIds: ['a', 'b', 'c', 'd'], batchId: 'batch-2' });
    const left = outcomes[1]?.kind ?? '';
    expect(left).not.toBe('accepted');
    expect(kindsOf(outcomes)).toEqual(['accepted', left, 'accepted', left]);
    expect(http.sent.slice(before).flatMap((sent) => sent.registrationIds)).toEqual(['a', 'c']);
  });

  it('a batch of nothing but dead registrations is discarded device by device', async () => {
    const outcomes = await openTrial(subject).send({ registrationIds: ['gone-1', 'gone-2', 'gone-3'] });
    expect(outcomes).toHaveLength(3);
    outcomes.forEach(expectGone);
  });
}

function describeSilence(subject: Subject): void {
  const { passThrough, maxBatch } = subject.channel.capabilities;
  const wish: BatchWish = {
    data: { alert: 'Hello', colour: 'blue', silent: true },
    registrationIds: devices(Math.min(3, maxBatch)),
  };

  if (passThrough) {
    it('a silent message is handed to the app and shows nothing, not even the name of the app', async () => {
      const { send, http } = openTrial(subject);
      const outcomes = await send(wish);
      expect(kindsOf(outcomes)).toEqual(accepted(outcomes.length));
      const message = JSON.stringify(http.sent[0]?.message);
      expect(message).toContain('blue');
      expect(message).not.toContain(APP_NAME);
    });
  } else {
    it('a silent message is discarded for every device without asking the vendor', async () => {
      const { send, http } = openTrial(subject);
      const outcomes = await send(wish);
      expect(outcomes).toHaveLength(wish.registrationIds?.length ?? 0);
      expectDiscards(outcomes, 'silent-unsupported');
      expect(http.requests).toEqual([]);
    });
  }
}

/** Of four bytes and two UTF-16 units each, after one or two single units: a cut by units breaks one of the two. */
const LONG: readonly JsonObject[] = [
  { alert: `a${'😀'.repeat(700)}`, title: 'T' },
  { alert: `ab${'😀'.repeat(700)}`, title: 'T' },
  { alert: 'A', title: `a${'😀'.repeat(300)}` },
  { alert: 'A', title: `ab${'😀'.repeat(300)}` },
];

function describeSize(subject: Subject): void {
  it.each(LONG)('a text over the limit of the vendor is cut at code points and says so (%#)', async (data) => {
    const { send, http } = openTrial(subject);
    const [outcome] = await send({ data });
    const message = JSON.stringify(http.sent[0]?.message);
    expect(outcome?.kind).toBe('accepted');
    if (isTruncated(outcome)) expect(message).toContain('…');
    else expect(message).toContain(data['alert']);
    expect(message).not.toMatch(/\\ud[89a-f][0-9a-f]{2}|\ufffd/i);
  });

  it.each(LONG)('the same text is refused for an app that wants no cut (%#)', async (data) => {
    const isCut = isTruncated((await openTrial(subject).send({ data }))[0]);
    const { send, http } = openTrial(subject);
    const outcomes = await send({ data, overlong: 'reject' });
    if (isCut) expectDiscards(outcomes, 'message-rejected');
    else expect(kindsOf(outcomes)).toEqual(['accepted']);
    expect(http.sent).toHaveLength(isCut ? 0 : 1);
  });

  const { maxPayloadBytes } = subject.channel.capabilities;
  if (maxPayloadBytes === undefined) {
    it('a vendor without a limit of size for all of a message gets a large one, or the record says what it lacks', async () => {
      const { send, http } = openTrial(subject);
      const [outcome] = await send({ data: { alert: 'Hello', big: 'x'.repeat(4096) } });
      const isWhole = http.requests.at(-1)?.body.includes('x'.repeat(4096)) === true;
      if (!isWhole) expect(outcome).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining('big')] });
    });
    return;
  }

  it('a message over the size limit of the vendor reaches nobody', async () => {
    const big = 'x'.repeat(maxPayloadBytes);
    await expectTooLarge(openTrial(subject), { alert: 'Hello', big });
    if (subject.channel.capabilities.passThrough) await expectTooLarge(openTrial(subject), { big, silent: true });
  });
}

const isTruncated = (outcome: Outcome | undefined): boolean =>
  outcome?.kind === 'accepted' && outcome.truncated === true;

async function expectTooLarge({ send, http, faultOf }: Trial, data: JsonObject): Promise<void> {
  const call = send({ data });
  const verdict: unknown = await call.catch((error: unknown) => error);
  if (Array.isArray(verdict)) expectDiscards(verdict as readonly Outcome[], 'payload-too-large');
  else expect((await faultOf(call)).code).toBe('payload-too-large');
  expect(http.sent).toEqual([]);
}
