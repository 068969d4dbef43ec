import { fakeClock } from '@pushfleet/testing';
import { throttledWarnings } from './report';

test('what fails is told once a second for each kind, also after the clock was set back', () => {
  const clock = fakeClock();
  const told: unknown[] = [];
  const warn = throttledWarnings(
    { warn: (fields: { doing?: unknown }) => void told.push(fields.doing) } as never,
    clock.now,
  );
  const fail = (doing: string): void => warn(new Error('away'), doing);
  fail('read');
  fail('read');
  fail('join');
  expect(told).toEqual(['read', 'join']);
  clock.advance(1000);
  fail('read');
  clock.advance(-3_600_000);
  fail('read');
  fail('read');
  expect(told).toEqual(['read', 'join', 'read', 'read']);
});
