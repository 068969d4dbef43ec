import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCli } from '../testing/run-cli';

it('a change that some process may not know yet is done, and says so', async () => {
  const answer = { pendingProcesses: [{ id: 'host-7-b', role: 'channel-worker', channel: 'mi' }] };
  const console = createServer((_, res) => res.end(JSON.stringify(answer)));
  await once(console.listen(0, '127.0.0.1'), 'listening');
  const env = { ADMIN_TOKEN: 't', PUSHFLEET_URL: `http://127.0.0.1:${(console.address() as AddressInfo).port}` };
  const run = await runCli(['profiles', 'delete', 'APP_ID', 'mi', '_default', '--yes', '--json'], { env });
  console.close();
  console.closeAllConnections();
  const err = 'pushfleet: done, but not known yet to: channel-worker host-7-b\n';
  expect(run).toEqual({ code: 0, out: `${JSON.stringify(answer)}\n`, err });
});
