import { hash } from 'node:crypto';
import { type RawReceipt, type VendorChannel } from '@pushfleet/channel-kit';
import { type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { isSameSecret } from '@pushfleet/service-kit';
import { type ProfileStore, type StoredProfile } from '@pushfleet/store';
import { type IncomingHttpHeaders } from 'node:http';
import { type Endpoint } from '../http/endpoint';
import { paramOf } from '../http/http-request';
import { Refusal } from '../http/problem';

/** Vendors collect receipts before they report them. */
const MAX_RECEIPT_BYTES = 1024 * 1024;

export interface ReceiptPorts {
  readonly profiles: Pick<ProfileStore, 'get'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
}

/** Takes vendors' reports: checked against the profile named in the path, queued, answered in the vendor's manner. */
export function receiptsEndpoint({ profiles, channels, receipts }: ReceiptPorts): Endpoint {
  return {
    route: 'receipts',
    maxBodyBytes: MAX_RECEIPT_BYTES,
    async handle(req, body) {
      const ref = { app: paramOf(req, 'appId'), channel: paramOf(req, 'channel'), profile: paramOf(req, 'profile') };
      const channel = Object.hasOwn(channels, ref.channel) ? channels[ref.channel] : undefined;
      const profile = requireKey(paramOf(req, 'key'), await profiles.get(ref));
      if (!channel?.parseReceipt) throw unknownCallback();
      const raw: RawReceipt = { headers: singleHeaders(req.headers), body };
      const answer = channel.parseReceipt(raw, profile.value);
      const data = { app: ref.app, channel: ref.channel, receipts: [...answer.receipts] };
      if (data.receipts.length > 0) await receipts.add([{ id: jobId(ref, body), data }]);
      return answer.reply;
    },
  };
}

/** Stands in for a profile that does not exist, so that the answer takes as long as for one that does. */
const DECOY_KEY = 'no profile has this key';

function requireKey(given: string, profile: StoredProfile | undefined): StoredProfile {
  const isRight = isSameSecret(given, profile?.receiptKey ?? DECOY_KEY);
  if (!profile || !isRight) throw unknownCallback();
  return profile;
}

const unknownCallback = (): Refusal => new Refusal('route-unknown', 'There is no such callback.');

/** The same report sent twice while the first still waits is one job. */
const jobId = (ref: { app: string; channel: string }, body: string): string =>
  hash('sha256', JSON.stringify([ref.app, ref.channel, body]), 'hex');

function singleHeaders(headers: IncomingHttpHeaders): RawReceipt['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
