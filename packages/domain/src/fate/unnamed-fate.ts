import { MAX_VERDICTS, type ChannelBooks, type PushRecord, type RecordedError } from '../push-record';

/** What a record says of a device of its audience that it does not name. */
export interface UnnamedFate {
  readonly outcome: 'accepted' | 'not-matched' | 'not-kept';
  readonly channel?: string;
  readonly message: string;
}

/** Written when asked for: the first number in a language loads its rules, which every process would wait for at its start. */
const stillOpen = (): string =>
  'No refusal of this installation was kept: it was accepted or still waits. ' +
  `Refusals are kept for the first ${MAX_VERDICTS.toLocaleString('en')} installations of a push.`;
const ACCEPTED = 'The record names every installation that was refused, and not this one: it was accepted.';
const NOBODY = 'The push matched no installation.';
const ALL_REFUSED = 'Every installation that the push matched was refused, and this one is not among them.';

/**
 * Judges by what the record of a dispatched push holds, and never by today's rules: settings, profiles and the device
 * itself may have changed since.
 */
export function unnamedFate(record: PushRecord): UnnamedFate {
  const columns = Object.entries(record.channels);
  const accepted = columns.filter(([, books]) => books.accepted > 0);
  const only = accepted.length === 1 ? accepted[0] : undefined;
  const channel = only === undefined ? {} : { channel: only[0] };
  const nameless = record.errors.filter((error) => !namesAll(error, record));
  if (nameless.length > 0) return { outcome: 'not-kept', message: namelessText(nameless) };
  if (isOpen(record)) return { outcome: 'not-kept', message: stillOpen() };
  if (accepted.length > 0) return { outcome: 'accepted', ...channel, message: ACCEPTED };
  return { outcome: 'not-matched', message: columns.some(isMatched) ? ALL_REFUSED : NOBODY };
}

const isOpen = ({ status, channels }: PushRecord): boolean =>
  (status !== 'done' && status !== 'error') || Object.values(channels).some(({ outstanding }) => outstanding > 0);

const isMatched = ([, { matched }]: readonly [string, ChannelBooks]): boolean => matched > 0;

/** A vendor's verdicts are kept one by one; of a refusal by rule the record holds samples. */
function namesAll({ count, samples, vendorCode }: RecordedError, { hasCutVerdicts }: PushRecord): boolean {
  return count <= samples.length || (vendorCode !== undefined && hasCutVerdicts !== true);
}

function namelessText(errors: readonly RecordedError[]): string {
  const counts = errors.map(({ channel, reason, count }) => `${count.toLocaleString('en')} ${reason} on ${channel}`);
  return (
    'The record does not name every installation that was refused: this one was accepted, still waits, or is one of ' +
    `${counts.join(', ')}.`
  );
}
