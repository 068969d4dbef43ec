import { CallLimits } from './call-limits';

test('a clock that is set while calls are under way makes none of them slow, and no profile idle', () => {
  const limits = new CallLimits(64);
  const beginRound = () => Array.from({ length: limits.of('p') }, () => limits.begin('p'));
  limits.refused('p');
  for (const end of beginRound()) end('answered');
  limits.refused('p');
  const round = beginRound();
  expect(round).toHaveLength(32);
  const set = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  for (const end of round) end('answered');
  set.mockRestore();
  expect(limits.states()).toMatchObject([{ profile: 'p', allowed: 64 }]);
});
