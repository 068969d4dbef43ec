import { DESCRIBED_REASONS } from './described-reasons';

it('describes each reason of each kind once', () => {
  const names = DESCRIBED_REASONS.map(({ kind, reason }) => `${kind} ${reason}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['discarded expired', 'failed unreachable', 'waiting paused']));
});

it('speaks in sentences', () => {
  for (const { means, remedy } of DESCRIBED_REASONS) {
    expect(means).toMatch(/^[\p{Lu}a-z].+\.$/u);
    expect(remedy).toMatch(/^\p{Lu}.+\.$/u);
  }
});

it('says what to do about devices that ended, and nothing of the kind about those that wait', () => {
  for (const { kind, action } of DESCRIBED_REASONS) expect(action === undefined).toBe(kind === 'waiting');
});
