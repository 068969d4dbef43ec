/// <reference types="jest" />
import type { JsonObject } from '@pushfleet/domain';
import type { VendorChannel } from '../channel';
import { expectDiscards, openTrial, type Subject } from './contract-rig';
import type { MakeSimulator } from './simulator';

const named = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name, i) => [name, `value-${i}-${'v'.repeat(i)}-end`]));

const MANY = Array.from({ length: 11 }, (_, i) => `k${i}`);
/** Of vendors, of other platforms, of the service itself and of the language. */
const NAMES = [
  ...['token', 'topic', 'callback', 'data', 'message', 'payload', 'content', 'extra', 'url', 'type', 'id', 'own'],
  ...['category', 'aps', 'content-available', '_x', '_profile', 'constructor', 'toString', 'a b', '中', 'a.b', 'ios_x'],
];

const ATTRIBUTES: readonly (readonly [what: string, attributes: JsonObject])[] = [
  ['1,900 ASCII characters in one attribute', { long: 'x'.repeat(1900) }],
  ['400 Chinese characters in one attribute', { long: '中'.repeat(400) }],
  ['11 attributes', named(MANY)],
  ...NAMES.map((name) => [`an attribute called ${name}`, named([name])] as const),
];

/** What a sender attaches to a notification reaches the vendor, or the record tells that it was left out. */
export function describeAttributeContract(
  channel: VendorChannel,
  makeSimulator: MakeSimulator,
  profile: unknown,
): void {
  const subject: Subject = { channel, makeSimulator, profile: profile as JsonObject };
  describe(`channel ${channel.name}: attributes`, () => {
    it.each(ATTRIBUTES)('%s reach the vendor or are told as left out', async (_, attributes) => {
      const { send, http } = openTrial(subject);
      const [outcome] = await send({ data: { alert: 'Hello', ...attributes } });
      expect(outcome).toMatchObject({ kind: 'accepted' });
      const notes = outcome?.kind === 'accepted' ? (outcome.notes ?? []).join(' ') : '';
      const sent = readable(http.sent[0]?.message);
      for (const [name, value] of Object.entries(attributes))
        if (!sent.includes(String(value))) expect(notes).toContain(name);
    });

    it.each(['', ' ', '\n'])(
      'a notification whose text is %j reaches nobody, without asking the vendor',
      async (alert) => {
        const { send, http } = openTrial(subject);
        const outcomes = await send({ data: { alert, title: 'Greeting' }, registrationIds: ['reg-1'] });
        expectDiscards(outcomes, 'message-rejected');
        expect(http.sent).toEqual([]);
      },
    );

    it('attributes that fit without effort cause no note', async () => {
      const [outcome] = await openTrial(subject).send({ data: { alert: 'Hello', k: 'v' } });
      expect(outcome).not.toHaveProperty('notes');
    });
  });
}

/** Vendors take attributes as JSON, as JSON inside text, or encoded for a URL. */
function readable(message: unknown): string {
  const text = JSON.stringify(message);
  return `${text}${text.replace(/(?:%[0-9A-F]{2})+/gi, (encoded) => decodeURIComponent(encoded))}`;
}
