import { ChannelFault, openTokenCache, type ChannelSession } from '@pushfleet/channel-kit';
import { memoryTokenStore } from '@pushfleet/channel-kit/testing';
import { tryCredentials } from './try-credentials';

const profile = { appId: 'app-1', secret: 'top-secret' };
const vendors = {
  http: { request: () => Promise.reject(new Error('not used')), close: () => Promise.resolve() },
  tokens: openTokenCache(memoryTokenStore(), Date.now),
  now: Date.now,
  origins: {},
  timeoutMs: 20,
};

function test(verify: ChannelSession['verify']) {
  const preview = () => ({ kind: 'preview', bytes: 0, truncated: false, notes: [] }) as const;
  const session = { preview, send: () => Promise.resolve([]), verify };
  return tryCredentials({ secretFields: ['secret'], open: () => session }, profile, vendors);
}

describe('tryCredentials', () => {
  it('passes on what the vendor said', async () => {
    expect(await test(async () => ({ ok: true }))).toEqual({ ok: true, vendorCode: null, vendorMessage: null });
  });

  it('hides a secret that the vendor repeats', async () => {
    const answer = await test(async () => ({ ok: false, vendorCode: '7', vendorMessage: 'top-secret is no secret' }));
    expect(answer).toEqual({ ok: false, vendorCode: '7', vendorMessage: '*** is no secret' });
  });

  it('names the fault of a vendor that gave no usable answer', async () => {
    const fault = new ChannelFault('throttled', 'HTTP 429', { vendorCode: '429', vendorMessage: 'slow down' });
    expect(await test(() => Promise.reject(fault))).toEqual({
      ...{ ok: false, vendorCode: '429', vendorMessage: 'slow down', fault: 'throttled' },
    });
  });

  it('ends at the deadline even when the channel does not', async () => {
    expect(await test(() => new Promise(() => undefined))).toEqual({
      ...{ ok: false, vendorCode: null, vendorMessage: 'no answer within 20 ms', fault: 'unreachable' },
    });
  });

  it('lets a defect through', async () => {
    await expect(test(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError);
  });
});
