/// <reference types="jest" />
import { FAULT_POLICY } from '../fault';
import { kindsOf, needsToken, never, openTrial, openWarmTrial, withWrongSecret, type Subject } from './contract-rig';
import type { VendorMisbehaviour } from './fault-kinds';

const FAULTS = [
  ['http-5xx', 'vendor-error'],
  ['garbage', 'unknown-outcome'],
  ['throttled', 'throttled'],
] as const satisfies readonly (readonly [VendorMisbehaviour, string])[];

export function describeFaults(subject: Subject): void {
  it.each(FAULTS)('a vendor that answers %s is the fault %s, and the next call succeeds', async (kind, code) => {
    const { send, http, faultOf, sendPath } = await openWarmTrial(subject);
    http.misbehave({ kind, path: sendPath });
    expect((await faultOf(send())).code).toBe(code);
    expect(kindsOf(await send())).toEqual(['accepted']);
  });

  it.each(['http-5xx', 'garbage'] as const)('a first request answered %s is a fault that is retried', async (kind) => {
    const { send, http, faultOf } = openTrial(subject);
    http.misbehave({ kind });
    const { code } = await faultOf(send());
    // A first request that reaches devices may have been taken; one for a token is made again.
    const isSend = !(await needsToken(subject)) && kind === 'garbage';
    expect(FAULT_POLICY[code].retry).toBe(isSend ? 'at-most-once' : 'backoff');
    expect(kindsOf(await send())).toEqual(['accepted']);
  });

  it('a spent quota is a fault of its own, or throttling where the vendor has no word for it', async () => {
    const { send, http, faultOf, sendPath } = await openWarmTrial(subject);
    http.misbehave({ kind: 'quota', path: sendPath });
    const { code } = await faultOf(send());
    expect(['quota-exceeded', 'throttled']).toContain(code);
  });

  it('a wrong secret is rejected credentials and reaches nobody', async () => {
    const { send, http, faultOf } = openTrial(subject, withWrongSecret(subject.profile));
    expect((await faultOf(send())).code).toBe('credentials-rejected');
    expect(http.sent).toEqual([]);
  });

  describeTokens(subject);
  describeVerification(subject);
}

function describeTokens(subject: Subject): void {
  it('a token is asked for once, or never where the vendor has none', async () => {
    const { send, http } = await openWarmTrial(subject);
    const first = http.requests.length;
    await send();
    expect(first).toBeLessThanOrEqual(2);
    expect(http.requests).toHaveLength(first + 1);
  });

  it('an expired token is replaced and the call repeated without a fault', async () => {
    const { send, http, sendPath } = await openWarmTrial(subject);
    const before = http.requests.length;
    http.misbehave({ kind: 'token-expired', path: sendPath });
    expect(kindsOf(await send())).toEqual(['accepted']);
    // Refused call, new token, repeated call.
    expect(http.requests.length - before).toBe((await needsToken(subject)) ? 3 : 1);
    expect(http.sent).toHaveLength(2);
  });

  it('a second refusal of the token is rejected credentials', async () => {
    const { send, http, faultOf, sendPath } = await openWarmTrial(subject);
    http.misbehave({ kind: 'token-expired', path: sendPath, times: Infinity });
    if (await needsToken(subject)) expect((await faultOf(send())).code).toBe('credentials-rejected');
    else expect(kindsOf(await send())).toEqual(['accepted']);
  });
}

function describeVerification(subject: Subject): void {
  it('right credentials are verified without reaching a device', async () => {
    const { session, http } = openTrial(subject);
    expect(await session.verify(never)).toEqual({ ok: true });
    expect(http.requests.length).toBeGreaterThan(0);
    expect(http.sent).toEqual([]);
  });

  it('credentials are verified anew, not from what is remembered', async () => {
    const { session, http } = await openWarmTrial(subject);
    const before = http.requests.length;
    await session.verify(never);
    expect(http.requests.length).toBeGreaterThan(before);
  });

  it('wrong credentials are told in words of the vendor', async () => {
    const { session, http } = openTrial(subject, withWrongSecret(subject.profile));
    const check = await session.verify(never);
    expect(check.ok).toBe(false);
    expect(`${check.vendorCode ?? ''}${check.vendorMessage ?? ''}`).toMatch(/\S/);
    expect(http.sent).toEqual([]);
  });
}
