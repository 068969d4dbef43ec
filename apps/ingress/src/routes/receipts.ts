import { hash } from 'node:crypto';
import { ReceiptRefused, type RawReceipt, type ReceiptAnswer, type VendorChannel } from '@pushfleet/channel-kit';
import { checkJsonLevels, LIMITS } from '@pushfleet/domain';
import { type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { isSameSecret } from '@pushfleet/service-kit';
import { type ProfileStore, type StoredProfile } from '@pushfleet/store';
import { type IncomingHttpHeaders } from 'node:http';
import { type Endpoint } from '../http/endpoint';
import { paramOf } from '../http/http-request';
import { Refusal } from '../http/problem';
import { openRateLimit } from '../http/rate-limit';
import { type CallbackOutcome, type IngressMetrics } from '../metrics';

export interface ReceiptPorts {
  readonly profiles: Pick<ProfileStore, 'get'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
  readonly metrics: Pick<IngressMetrics, 'calledBack'>;
  readonly now: () => number;
}

/** Takes vendors' reports: checked against the profile named in the path, queued, answered in the vendor's manner. */
export function receiptsEndpoint(ports: ReceiptPorts): Endpoint {
  const { profiles, channels, metrics } = ports;
  const limit = openRateLimit(MAX_CALLBACKS_PER_SECOND, ports.now);
  return {
    route: 'receipts',
    maxBodyBytes: LIMITS.receiptBytes.value,
    async handle(req, body) {
      const ref = { app: paramOf(req, 'appId'), channel: paramOf(req, 'channel'), profile: paramOf(req, 'profile') };
      const channel = Object.hasOwn(channels, ref.channel) ? channels[ref.channel] : undefined;
      const profile = requireKey(paramOf(req, 'key'), await profiles.get(ref));
      if (!channel?.parseReceipt) throw unknownCallback();
      const count = (outcome: CallbackOutcome): void => metrics.calledBack(channel.name, outcome);
      if (!limit(`${ref.app}/${ref.channel}/${ref.profile}`)) {
        count('limited');
        throw new Refusal('too-many-calls', 'Too many callbacks of one profile; report again in a moment.', 1);
      }
      checkJsonLevels(body);
      const raw: RawReceipt = { headers: singleHeaders(req.headers), body };
      const answer = parsed(() => channel.parseReceipt?.(raw, profile.value), count);
      const data = { app: ref.app, channel: ref.channel, receipts: [...answer.receipts] };
      if (data.receipts.length > 0) await ports.receipts.add([{ id: jobId(ref, body), data }]);
      count(data.receipts.length > 0 ? 'queued' : 'nothing');
      return answer.reply;
    },
  };
}

/** A vendor reports what it has in batches; more than this of one profile is nobody's receipt. */
const MAX_CALLBACKS_PER_SECOND = 1000;

function parsed(parse: () => ReceiptAnswer | undefined, count: (outcome: CallbackOutcome) => void): ReceiptAnswer {
  try {
    const answer = parse();
    if (answer) return answer;
  } catch (error) {
    if (error instanceof ReceiptRefused) count('refused');
    throw error;
  }
  throw unknownCallback();
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
