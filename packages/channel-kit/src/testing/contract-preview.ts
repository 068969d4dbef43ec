/// <reference types="jest" />
import type { JsonObject, Outcome } from '@pushfleet/domain';
import { batchOf, openTrial, type BatchWish, type Subject } from './contract-rig';

const LONG = '长'.repeat(600);

const MESSAGES: readonly (readonly [name: string, wish: BatchWish])[] = [
  ['a short text', { data: { alert: 'Hello', title: 'Greeting', k: 'v' } }],
  ['a long text', { data: { alert: LONG, title: LONG } }],
  ['a long text of an app that has it rejected', { data: { alert: LONG, title: LONG }, overlong: 'reject' }],
  ['a silent message', { data: { alert: 'Hello', silent: true, k: 'v' } }],
  ['no text', { data: { alert: '' } }],
  ['attributes beyond every limit', { data: { alert: 'Hello', k: 'x'.repeat(100_000) } }],
  ['a badge, an action and names that are reserved', { data: { alert: 'a', badge: 3, action: 'b', _mine: 1 } }],
];

/** What a sender is told before a push is what becomes of it. */
export function describePreview(subject: Subject): void {
  it.each(MESSAGES)('%s is previewed as it is sent, without a call', async (_, wish) => {
    const { session, http, send } = openTrial(subject);
    const preview = session.preview(batchOf(subject.channel, wish));
    expect(http.requests).toEqual([]);
    const [outcome] = await send(wish);
    if (preview.kind === 'discarded') return expect(outcome).toEqual(preview);
    expect(preview.bytes).toBeGreaterThan(0);
    const { truncated, notes } = preview;
    const shown = Object.values(preview.shown ?? {});
    if (wish.data?.['silent'] === true) expect(shown).toEqual([]);
    const said = http.requests.flatMap(({ body = '' }) => [body, ...new URLSearchParams(body).values()]).join(' ');
    for (const text of shown) expect(said).toContain(text);
    const words: JsonObject = { ...(truncated ? { truncated } : {}), ...(notes.length > 0 ? { notes } : {}) };
    return expect(told(outcome)).toEqual({ kind: 'accepted', ...words });
  });
}

/** The vendor's own id of the message is known when it is sent. */
function told(outcome: Outcome | undefined): Outcome | undefined {
  if (outcome?.kind !== 'accepted') return outcome;
  const { vendorMessageId: _, ...rest } = outcome;
  return rest;
}
