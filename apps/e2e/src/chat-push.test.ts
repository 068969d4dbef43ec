import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const EXAMPLE = pathToFileURL(join(__dirname, '../../../examples/chat/push.mjs')).href;
/** Asks for each change of a binding and of a mute, and prints what was refused. */
const ASK = `
  const { openPush } = await import(process.env.EXAMPLE);
  const push = openPush({ ingress: process.env.INGRESS, app: { id: 'a', key: 'k', masterKey: 'm' } });
  const ids = JSON.parse(process.env.IDS);
  const asked = ids.flatMap((id) => [() => push.bind('Tom', id), () => push.unbind(id, 'i'), () => push.setMuted(id, 'Tom', true)]);
  const refused = [];
  for (const ask of asked) try { await ask(); } catch (error) { refused.push(error.message); }
  process.stdout.write(JSON.stringify(refused));
`;

/** The paths that the example asked for with its master key, and the words of its refusals. */
async function ask(ids: readonly unknown[], slash = ''): Promise<{ paths: string[]; refused: string[] }> {
  const paths: string[] = [];
  const ingress = createServer((req, res) => {
    paths.push(req.url ?? '');
    res.end('{}');
  }).listen(0, '127.0.0.1');
  try {
    await once(ingress, 'listening');
    const env = {
      ...{ PATH: process.env['PATH'], EXAMPLE, IDS: JSON.stringify(ids) },
      INGRESS: `http://127.0.0.1:${(ingress.address() as AddressInfo).port}${slash}`,
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ASK], { env });
    return { paths, refused: JSON.parse(stdout) as string[] };
  } finally {
    ingress.close();
  }
}

test('no id leads the chat example to another path with its master key', async () => {
  const strange = ['../../../../1.1/installations/x', 'a/../../b', 'a?b#c', '%2e%2e'];
  const { paths, refused } = await ask(strange);
  expect(refused).toEqual([]);
  expect(paths).toEqual(
    strange
      .map(encodeURIComponent)
      .flatMap((id) => [
        `/1.2/rtm/clients/Tom/installations/${id}`,
        `/1.2/rtm/clients/${id}/installations/i`,
        `/1.2/rtm/conversations/${id}/mutes`,
      ]),
  );
});

test('what cannot be part of a path is refused by the chat example before it asks', async () => {
  const { paths, refused } = await ask(['..', '.', '', null, 7, ['Tom'], {}]);
  expect(paths).toEqual([]);
  expect(refused).toHaveLength(21);
  for (const words of refused) expect(words).toMatch(/ cannot be part of a path$/);
});

test('an address of the ingress may end with a slash', async () => {
  const { paths } = await ask(['Tom'], '/');
  expect(paths[0]).toBe('/1.2/rtm/clients/Tom/installations/Tom');
});
