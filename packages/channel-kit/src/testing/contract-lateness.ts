/// <reference types="jest" />
import type { Outcome } from '@pushfleet/domain';
import { openTokenCache } from '../token-cache';
import { openVendorHttp } from '../vendor-http';
import { isChannelFault } from '../fault';
import { batchOf, kindsOf, needsToken, never, openWarmTrial, type Subject } from './contract-rig';
import type { WireFault } from './fault-kinds';
import { memoryTokenStore } from './memory-token-store';
import { serveSimulator, type SimulatorServer } from './simulator-server';

/** How long a call that the vendor has is left to itself before it is ended. */
const PATIENCE_MS = 50;
/** Longer than any test waits: only its caller ends the call. */
const LATE_MS = 120_000;
const DRIP_MS = 1000;
const NOW = Date.UTC(2026, 0, 15, 4);

/** What a gateway says in JSON, in a code that no vendor has, and what it means for a message and for a token. */
const GATEWAY = [
  [408, 'vendor-error', 'vendor-error'],
  [429, 'throttled', 'throttled'],
  [502, 'vendor-error', 'vendor-error'],
  [504, 'unknown-outcome', 'vendor-error'],
] as const;

const gatewayAnswer = (status: number) => ({
  status,
  body: JSON.stringify({ code: status, message: 'gateway', result: status, desc: 'gateway' }),
});

const KINDS = [
  ['late', LATE_MS],
  ['drip', DRIP_MS],
  ['huge', 0],
  ['truncated', 0],
] as const satisfies readonly (readonly [WireFault, number])[];

/** A vendor behind a real socket that takes the message and gives no usable answer. */
export function describeLateness(subject: Subject): void {
  const { channel, makeSimulator, profile } = subject;
  let server: SimulatorServer;
  let close: () => Promise<void>;
  let call: (signal?: AbortSignal) => Promise<readonly Outcome[]>;
  let send: (signal?: AbortSignal) => Promise<string>;

  beforeEach(async () => {
    const now = (): number => NOW;
    server = await serveSimulator(makeSimulator({ now }));
    const http = openVendorHttp({ deadlineMs: LATE_MS, connectionsPerOrigin: 4 });
    const origins = Object.fromEntries(Object.keys(channel.endpoints).map((name) => [name, server.origin]));
    const session = channel.open(profile, { http, tokens: openTokenCache(memoryTokenStore(), now), now, origins });
    call = (signal = never) => session.send(batchOf(channel, {}), signal);
    send = (signal) =>
      call(signal).then(
        (outcomes) => kindsOf(outcomes).join(),
        (error: unknown) => (isChannelFault(error) ? error.code : String(error)),
      );
    close = async () => {
      await server.close();
      await http.close();
    };
  });
  afterEach(() => close());

  /** Sends, and ends the call some time after the vendor has it. */
  async function sendImpatiently(): Promise<string> {
    const deadline = new AbortController();
    const before = server.requests.length;
    const sent = send(deadline.signal);
    while (server.requests.length === before) await new Promise(setImmediate);
    const timer = setTimeout(() => deadline.abort(), PATIENCE_MS);
    return sent.finally(() => clearTimeout(timer));
  }

  it.each(KINDS)('a call that is answered %s ends by itself, and may have been taken', async (kind, delayMs) => {
    const { sendPath } = await openWarmTrial(subject);
    expect(await send()).toBe('accepted');
    server.fault({ kind, path: sendPath, delayMs });
    const isEndless = kind === 'late' || kind === 'drip';
    expect(await (isEndless ? sendImpatiently() : send())).toBe('unknown-outcome');
    expect(server.sent).toHaveLength(2);
    expect(await send()).toBe('accepted');
  });

  it.each(['send', 'token'] as const)(
    'a %s that is refused as too early says when to come back, and reaches nobody',
    async (what) => {
      const { sendPath } = await openWarmTrial(subject);
      const isToken = what === 'token' && (await needsToken(subject));
      if (!isToken) expect(await send()).toBe('accepted');
      const before = server.sent.length;
      server.fault({ kind: 'retry-after', delayMs: 3000, ...(isToken ? {} : { path: sendPath }) });
      await expect(call()).rejects.toMatchObject({ code: 'throttled', retryAfterMs: 3000 });
      expect(server.sent).toHaveLength(before);
      expect(await send()).toBe('accepted');
    },
  );

  it.each(GATEWAY)('HTTP %d in JSON that is not of the vendor is the fault %s', async (status, fault, tokenFault) => {
    const answer = gatewayAnswer(status);
    const { sendPath } = await openWarmTrial(subject);
    const isAsked = await needsToken(subject);
    server.fault({ kind: 'answer', answer, ...(isAsked ? {} : { path: sendPath }) });
    expect(await send()).toBe(isAsked ? tokenFault : fault);
    expect(await send()).toBe('accepted');
    server.fault({ kind: 'answer', answer, path: sendPath });
    expect(await send()).toBe(fault);
  });

  it.each(['late', 'drip'] as const)('a token that is answered %s ends as well, and reaches nobody', async (kind) => {
    if (!(await needsToken(subject))) return expect(await send()).toBe('accepted');
    server.fault({ kind, delayMs: kind === 'late' ? LATE_MS : DRIP_MS });
    expect(await sendImpatiently()).toBe('unreachable');
    expect(server.sent).toEqual([]);
    expect(await send()).toBe('accepted');
  });
}
