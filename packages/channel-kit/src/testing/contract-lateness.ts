/// <reference types="jest" />
import { openTokenCache } from '../token-cache';
import { openVendorHttp } from '../vendor-http';
import { isChannelFault } from '../fault';
import { batchOf, kindsOf, needsToken, openWarmTrial, type Subject } from './contract-rig';
import type { WireFault } from './fault-kinds';
import { memoryTokenStore } from './memory-token-store';
import { serveSimulator, type SimulatorServer } from './simulator-server';

const DEADLINE_MS = 300;
/** Longer than any test waits: only the deadline of the call ends it. */
const LATE_MS = 120_000;
const DRIP_MS = 1000;
const NOW = Date.UTC(2026, 0, 15, 4);

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
  let send: () => Promise<string>;

  beforeEach(async () => {
    const now = (): number => NOW;
    server = await serveSimulator(makeSimulator({ now }));
    const http = openVendorHttp({ deadlineMs: 10_000, connectionsPerOrigin: 4 });
    const origins = Object.fromEntries(Object.keys(channel.endpoints).map((name) => [name, server.origin]));
    const session = channel.open(profile, { http, tokens: openTokenCache(memoryTokenStore(), now), now, origins });
    send = async () => {
      const call = session.send(batchOf(channel, {}), AbortSignal.timeout(DEADLINE_MS));
      return call.then(
        (outcomes) => kindsOf(outcomes).join(),
        (error: unknown) => (isChannelFault(error) ? error.code : String(error)),
      );
    };
    close = async () => {
      await server.close();
      await http.close();
    };
  });
  afterEach(() => close());

  it.each(KINDS)('a call that is answered %s ends by itself, and may have been taken', async (kind, delayMs) => {
    const { sendPath } = await openWarmTrial(subject);
    expect(await send()).toBe('accepted');
    server.fault({ kind, path: sendPath, delayMs });
    expect(await send()).toBe('unknown-outcome');
    expect(server.sent).toHaveLength(2);
    expect(await send()).toBe('accepted');
  });

  it.each(['late', 'drip'] as const)('a token that is answered %s ends as well, and reaches nobody', async (kind) => {
    if (!(await needsToken(subject))) return expect(await send()).toBe('accepted');
    server.fault({ kind, delayMs: kind === 'late' ? LATE_MS : DRIP_MS });
    expect(await send()).toBe('unreachable');
    expect(server.sent).toEqual([]);
    expect(await send()).toBe('accepted');
  });
}
