import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULT_POLICY as faults } from '@pushfleet/channel-kit';
import { channels } from '@pushfleet/channels';
import { DISCARD_POLICY as discards } from '@pushfleet/domain';

const ROOT = join(__dirname, '../../..');

interface Script {
  vendorsPart(vendors: readonly { channel: object; tables: object }[], policies: object): string;
  withPart(page: string, part: string): string;
}

const page = readFileSync(join(ROOT, 'docs/vendors.md'), 'utf8');

async function writtenPart(): Promise<{ part: string; withPart: Script['withPart'] }> {
  const { vendorsPart, withPart } = (await import(join(ROOT, 'scripts/vendors-page.cjs'))) as Script;
  const tables = (name: string) => import(join(ROOT, 'packages/channels/src', name, 'codes')) as Promise<object>;
  const vendors = Object.values(channels).map(async (channel) => ({ channel, tables: await tables(channel.name) }));
  return { part: vendorsPart(await Promise.all(vendors), { faults, discards }), withPart };
}

test('docs/vendors.md tells the codes and limits that the code holds: node scripts/write-vendors.mjs', async () => {
  const { part, withPart } = await writtenPart();
  expect(withPart(page, part)).toBe(page);
});

test('every vendor has a part, with every code that is documented', async () => {
  const { part } = await writtenPart();
  for (const name of Object.keys(channels)) expect(part).toContain(`### ${name}\n`);
  for (const known of ['80300007', 'failTokens', '20301', '110010', '10302', '10000']) expect(page).toContain(known);
});

test('what follows from a code is said in words', async () => {
  const { part } = await writtenPart();
  expect(part).toContain(
    '| `80300007` | All the tokens are invalid. | the device is `registration-gone`, its registration retires |',
  );
  expect(part).toContain('| `82000001` – `82000013` | Topic error. | booked as `message-rejected` |');
  const token = 'a fresh access token, and one more try, then booked as `credentials-rejected`';
  expect(part).toContain(`| \`10000\` | authentication failed | ${token} |`);
  expect(part).toContain('of a list, the message is saved once more, then booked as `message-rejected`');
  expect(part).not.toMatch(/\[object|undefined/);
});
