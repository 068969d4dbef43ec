import { z } from 'zod';
import { maskSecrets, readProfile, receiptUrlOf } from './profile-document';
import type { Problem } from './http/problem';

const schema = z.strictObject({ appId: z.string(), secret: z.string(), token: z.string().optional() });
const channel = {
  secretFields: ['secret', 'token'],
  parseProfile: (input: unknown) => schema.parse(input),
  capabilities: {
    passThrough: false,
    maxBatch: 1,
    maxPayloadBytes: 1,
    receipts: true,
    deduplicates: 'no-call' as const,
  },
};
const read = (input: unknown, stored?: { secret: string }) =>
  readProfile({ channel, input, stored, readOnly: { profile: '_default', receiptUrl: 'https://x/1' } });

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
}

describe('maskSecrets', () => {
  it('masks secrets that are there and invents none', () => {
    expect(maskSecrets(channel, { appId: 'a', secret: 's' })).toEqual({ appId: 'a', secret: '***' });
  });
});

describe('readProfile', () => {
  it('puts the stored secret where the mask came back', () => {
    expect(read({ appId: 'a', secret: '***' }, { secret: 's' })).toEqual({ appId: 'a', secret: 's' });
  });

  it('takes a new secret, also one that only contains the mask', () => {
    expect(read({ appId: 'a', secret: '****' }, { secret: 's' })).toEqual({ appId: 'a', secret: '****' });
  });

  it('never stores the mask itself', () => {
    const problem = problemOf(() => read({ appId: 'a', secret: 's', token: '***' }, { secret: 's' }));
    expect(problem.details).toEqual([{ path: 'token', message: '*** keeps the stored value, and there is none' }]);
  });

  it('passes over what an answer had added, unless it was changed', () => {
    expect(read({ appId: 'a', secret: 's', profile: '_default', receiptUrl: 'https://x/1' })).toEqual({
      appId: 'a',
      secret: 's',
    });
    const problem = problemOf(() => read({ appId: 'a', secret: 's', profile: 'other' }));
    expect(problem.details).toEqual([{ path: 'profile', message: 'is not a known field' }]);
  });

  it('tells every violation at once', () => {
    const problem = problemOf(() => read({ appId: 1, secret: '***', colour: 'red' }));
    expect(problem.details.map(({ path }) => path)).toEqual(['secret', 'appId', 'colour']);
  });

  it('lets a defect of a channel through', () => {
    const broken = { ...channel, parseProfile: () => JSON.parse('{') as never };
    expect(() => readProfile({ channel: broken, input: {}, stored: undefined, readOnly: {} })).toThrow(SyntaxError);
  });
});

describe('receiptUrlOf', () => {
  const address = { app: 'app-1', channel: 'mi', profile: '_default', receiptKey: 'k' };

  it('names the callback of this profile alone', () => {
    expect(receiptUrlOf('https://push.example.com', channel, address)).toBe(
      'https://push.example.com/push/v1/callback/mi/app-1/_default/k',
    );
  });

  it('is nowhere without a public address or for a channel without receipts', () => {
    const mute = { capabilities: { ...channel.capabilities, receipts: false } };
    expect(receiptUrlOf(undefined, channel, address)).toBeUndefined();
    expect(receiptUrlOf('https://push.example.com', mute, address)).toBeUndefined();
  });
});
