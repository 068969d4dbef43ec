import { BodyMemory, type Holding, type Payer } from './body-memory';

const KB = 1024;
const LIMITS = { bytesInAll: 1000 * KB, bytesPerAccount: 600 * KB };

const setUp = () => {
  const memory = new BodyMemory(LIMITS);
  const dropped: Payer[] = [];
  const open = (account: string, address?: string): Holding => {
    const payer = { account, address };
    return memory.open(payer, () => dropped.push(payer));
  };
  const answer = (account: string, address?: string): Holding => {
    const payer = { account, address };
    return memory.openAnswer(payer, () => dropped.push(payer));
  };
  return { open, answer, dropped };
};

it('an account has its share and no more, and gets it back', () => {
  const { open } = setUp();
  const first = open('a');
  first.hold(500 * KB);
  expect(() => open('a').hold(200 * KB)).toThrow(/this app/);
  open('b').hold(200 * KB);
  first.release();
  expect(() => open('a').hold(200 * KB)).not.toThrow();
});

it('one address has half of it', () => {
  const { open } = setUp();
  open('a', '10.0.0.1').hold(250 * KB);
  expect(() => open('a', '10.0.0.1').hold(100 * KB)).toThrow(/this address/);
  expect(() => open('a', '10.0.0.2').hold(100 * KB)).not.toThrow();
});

it('when all is used, the account that holds the most gives way with its largest body', () => {
  const { open, dropped } = setUp();
  const arrived = open('a');
  arrived.hold(350 * KB);
  arrived.keep();
  open('a').hold(100 * KB);
  open('a').hold(150 * KB);
  open('b').hold(350 * KB);
  expect(dropped).toEqual([]);
  open('c').hold(90 * KB);
  expect(dropped).toEqual([{ account: 'a', address: undefined }]);
  expect(() => open('d').hold(100 * KB)).not.toThrow();
});

it('who holds the most by what comes now is refused', () => {
  const { open, dropped } = setUp();
  open('a').hold(450 * KB);
  const greedy = open('b');
  expect(() => greedy.hold(590 * KB)).toThrow(/at once/);
  greedy.release();
  expect(dropped).toHaveLength(1);
  expect(() => open('c').hold(500 * KB)).not.toThrow();
});

it('small bodies are not counted', () => {
  const { open } = setUp();
  open('a').hold(600 * KB);
  expect(() => open('a').hold(16 * KB)).not.toThrow();
});

describe('an answer that its caller has not taken', () => {
  it('counts like a body, but for no more than an address may have', () => {
    const { open, answer, dropped } = setUp();
    answer('a', '10.0.0.1').hold(900 * KB);
    expect(() => answer('a', '10.0.0.1').hold(900 * KB)).toThrow(/answers of this address .* may have taken effect/);
    answer('a', '10.0.0.2').hold(300 * KB);
    expect(() => open('a', '10.0.0.3').hold(300 * KB)).toThrow(/bodies of this app/);
    expect(dropped).toEqual([]);
  });

  it('gives way to whatever is smaller and of the same payer', () => {
    const { open, answer, dropped } = setUp();
    const address = '10.0.0.1';
    answer('a', address).hold(250 * KB);
    answer('a', '10.0.0.2').hold(260 * KB);
    open('a', address).hold(100 * KB);
    expect(dropped).toEqual([{ account: 'a', address }]);
    answer('a', '10.0.0.3').hold(240 * KB);
    expect(dropped).toHaveLength(1);
    open('a', '10.0.0.4').hold(100 * KB);
    expect(dropped[1]).toEqual({ account: 'a', address: '10.0.0.2' });
  });

  it('gives way when all is used and its account holds the most', () => {
    const { open, answer, dropped } = setUp();
    answer('a').hold(300 * KB);
    open('a').hold(200 * KB);
    open('b').hold(400 * KB);
    expect(() => open('c').hold(200 * KB)).not.toThrow();
    expect(dropped).toEqual([{ account: 'a', address: undefined }]);
  });
});
