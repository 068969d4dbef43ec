/// <reference types="jest" />
import type { JsonObject } from '@pushfleet/domain';
import type { RawReceipt, ReceiptAnswer } from '../channel';
import { openTrial, PUSH_ID, RECEIPT_URL, thrownBy, WRONG_SECRET, type Subject } from './contract-rig';
import type { ChannelSimulator, SentMessage } from './simulator';

type ReceiptKind = Parameters<NonNullable<ChannelSimulator['receipt']>>[0];

export function describeReceipts(subject: Subject): void {
  const { channel, profile } = subject;

  if (!channel.capabilities.receipts) {
    it('neither the channel nor its simulator knows receipts', () => {
      expect(channel.parseReceipt).toBeUndefined();
      expect(openTrial(subject).simulator.receipt).toBeUndefined();
    });
    return;
  }

  const parse = (raw: RawReceipt, parsedWith: JsonObject = profile): ReceiptAnswer => {
    if (!channel.parseReceipt) throw new Error('the channel declares receipts');
    return channel.parseReceipt(raw, parsedWith);
  };

  it('a delivery is reported for every device of the push', async () => {
    const { raw, sent } = await callback(subject, 'delivered');
    const { receipts, reply } = parse(raw);
    expect(receipts.map(({ kind, pushId }) => ({ kind, pushId }))).toEqual(
      sent.registrationIds.map(() => ({ kind: 'delivered', pushId: PUSH_ID })),
    );
    expect(receipts.map(({ registrationId }) => registrationId)).toEqual(sent.registrationIds);
    expect(reply.status).toBe(200);
  });

  it.each(['clicked', 'registration-gone'] as const)('a %s is itself, or changes nothing', async (kind) => {
    const { raw, sent } = await callback(subject, kind);
    const { receipts } = parse(raw);
    expect(receipts).toHaveLength(sent.registrationIds.length);
    for (const receipt of receipts) expect([kind, 'ignored']).toContain(receipt.kind);
  });

  if (channel.capabilities.maxReceiptUrlBytes !== undefined)
    it('a message to one device carries the address for its receipts', async () => {
      const { send, http } = openTrial(subject);
      await send();
      expect(http.sent.map(({ receiptUrl }) => receiptUrl)).toEqual([RECEIPT_URL]);
    });

  it('an unknown status changes nothing and is answered like any other', async () => {
    const { raw, sent } = await callback(subject, 'unknown');
    const { receipts, reply } = parse(raw);
    expect(receipts.map(({ kind }) => kind)).toEqual(sent.registrationIds.map(() => 'ignored'));
    for (const { vendorStatus } of receipts) expect(vendorStatus).toMatch(/\S/);
    expect(reply.status).toBe(200);
  });

  it.each(['', 'not json', '{"statuses":', '[]', 'null'])('the unreadable callback %j reports nothing', (body) => {
    const outcome = (): unknown => {
      try {
        return parse({ headers: {}, body }).receipts;
      } catch (error) {
        return error instanceof Error ? error.name : error;
      }
    };
    expect([[], 'ReceiptRefused']).toContainEqual(outcome());
  });

  describeReceiptCredential(subject, parse);
}

function describeReceiptCredential(
  subject: Subject,
  parse: (raw: RawReceipt, profile: JsonObject) => ReceiptAnswer,
): void {
  const credentials = subject.channel.secretFields.filter((field) => field.startsWith('receipt'));

  if (credentials.length === 0) {
    it('a vendor without a credential of its own for callbacks is believed without one', async () => {
      const { raw } = await callback(subject, 'delivered');
      expect(parse({ ...raw, headers: {} }, subject.profile).receipts).toEqual(parse(raw, subject.profile).receipts);
    });
    return;
  }

  it.each(credentials)('a callback that does not carry the agreed %s is refused', async (field) => {
    const { raw } = await callback(subject, 'delivered');
    const agreed = { ...subject.profile, [field]: WRONG_SECRET };
    const error = thrownBy(() => parse(raw, agreed));
    expect(error.name).toBe('ReceiptRefused');
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain(WRONG_SECRET);
    expect(thrownBy(() => parse({ ...raw, headers: {} }, agreed)).name).toBe('ReceiptRefused');
  });
}

async function callback(subject: Subject, kind: ReceiptKind): Promise<{ raw: RawReceipt; sent: SentMessage }> {
  const { send, http, simulator } = openTrial(subject);
  const registrationIds = ['reg-1', 'reg-2'].slice(0, subject.channel.capabilities.maxBatch);
  await send({ registrationIds });
  const [sent] = http.sent;
  if (!sent || !simulator.receipt) throw new Error('the simulator sends no receipts');
  const receipt = simulator.receipt(kind, sent);
  if (!receipt) throw new Error(`the message does not ask to be told of ${kind}`);
  const { headers, body } = receipt;
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { raw: { headers: Object.fromEntries(lowerCase) as Record<string, string>, body }, sent };
}
