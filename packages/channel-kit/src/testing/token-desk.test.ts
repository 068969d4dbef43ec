import { TokenDesk, type TokenRules } from './token-desk';

function openDesk(rules: Partial<TokenRules> = {}) {
  const clock = { ms: 0 };
  const desk = new TokenDesk({
    now: () => clock.ms,
    lifeMs: 1_000,
    nameOf: (owner, serial) => `${owner}-${serial}`,
    ...rules,
  });
  return { clock, desk };
}

test('a token works for its life, and only a token that was given', () => {
  const { clock, desk } = openDesk();
  const { value } = desk.issue('app');
  expect(desk.ownerOf(value)).toEqual({ owner: 'app' });
  expect([desk.ownerOf('app-9'), desk.ownerOf(undefined)]).toEqual(['unknown', 'unknown']);
  clock.ms = 1_000;
  expect(desk.ownerOf(value)).toBe('expired');
});

test('tokens live side by side where the vendor gives a new one each time', () => {
  const { desk } = openDesk();
  const [first, second] = [desk.issue('app').value, desk.issue('app').value];
  expect(first).not.toBe(second);
  expect(desk.ownerOf(first)).toEqual(desk.ownerOf(second));
});

test('a vendor that repeats itself gives the same token until it ends, and takes it a little longer', () => {
  const { clock, desk } = openDesk({ isReused: true, overlapMs: 500 });
  const first = desk.issue('app');
  clock.ms = 999;
  expect(desk.issue('app')).toEqual(first);
  clock.ms = 1_000;
  expect(desk.issue('app').value).toBe('app-2');
  expect(desk.ownerOf(first.value)).toEqual({ owner: 'app' });
  clock.ms = 1_500;
  expect(desk.ownerOf(first.value)).toBe('expired');
});

test('a vendor that ends all tokens gives new ones', () => {
  const { desk } = openDesk({ isReused: true });
  const { value } = desk.issue('app');
  desk.expireAll();
  expect(desk.ownerOf(value)).toBe('expired');
  expect(desk.ownerOf(desk.issue('app').value)).toEqual({ owner: 'app' });
});
