import { StrictRules } from './strict-rules';

const openRules = () => new StrictRules({ a: 'refuses a (document, 2026)', b: 'refuses b (a sender)' });

test('a rule is off until it is switched on, and only the ones last named are on', () => {
  const rules = openRules();
  expect(rules.isOn('a')).toBe(false);
  expect(rules.set(['a'])).toEqual([]);
  expect(rules.list()).toEqual([
    { name: 'a', about: 'refuses a (document, 2026)', isOn: true },
    { name: 'b', about: 'refuses b (a sender)', isOn: false },
  ]);
  rules.set(['b']);
  expect([rules.isOn('a'), rules.isOn('b')]).toEqual([false, true]);
});

test('a name that no rule has changes nothing and is given back', () => {
  const rules = openRules();
  rules.set(['a']);
  expect(rules.set(['b', 'toString'])).toEqual(['toString']);
  expect([rules.isOn('a'), rules.isOn('b')]).toEqual([true, false]);
});
