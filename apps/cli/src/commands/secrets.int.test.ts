import { cliHarness } from '../testing/cli-harness';

const { cli } = cliHarness();

it('counts the secrets of the fleet, and tells when all of them are sealed anew', async () => {
  await cli(['apps', 'create', 'Test', '--edition', 'developer']);
  const before = await cli(['secrets', 'status']);
  expect(before.out).toMatch(/^to be sealed anew: +0$/m);
  expect(before.out).toMatch(/^app-key +\S+ +current +true +\d+$/m);
  const { code, out, err } = await cli(['secrets', 'reseal']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^sealed anew last: +2\d{3}-\S+Z, 0 secrets$/m);
});

it('leaves it to the console on demand', async () => {
  const { code, out } = await cli(['secrets', 'reseal', '--no-wait', '--json']);
  expect({ code, answer: JSON.parse(out) as unknown }).toMatchObject({
    code: 0,
    answer: { reseal: { startedAt: expect.any(String) } },
  });
});
