import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openChat } from './chat-server.mjs';
import { openPush } from './push.mjs';

const { PUSHFLEET_INGRESS: ingress, APP_ID: id, APP_KEY: key, MASTER_KEY: masterKey, CHAT_PORT = '8100' } = process.env;
const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** What ends with this process: at a signal, and when something cannot be started. */
const stopping = new AbortController();
const atEnd = (close) => {
  if (stopping.signal.aborted) close();
  else stopping.signal.addEventListener('abort', close, { once: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

/** A demo fleet of its own. */
async function startFleet() {
  const fleet = spawn(process.execPath, [START, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => fleet.kill('SIGTERM'));
  const left = once(fleet, 'exit').then(() => {
    if (!stopping.signal.aborted) process.exitCode = 1;
    stopping.abort();
  });
  const lines = createInterface({ input: fleet.stdout });
  const [line] = await Promise.race([once(lines, 'line'), left.then(() => [])]);
  if (line === undefined) throw new Error('pushfleet did not start');
  const { urls, app, consoleLink } = JSON.parse(line);
  return { ingress: urls.ingress, app, consoleLink, phones: `${urls.simulator}/_simulator/messages` };
}

/** A fleet that runs already. */
function namedFleet() {
  const missing = Object.entries({ APP_ID: id, APP_KEY: key, MASTER_KEY: masterKey }).flatMap(([name, value]) =>
    value ? [] : [name],
  );
  if (missing.length > 0)
    throw new Error(`PUSHFLEET_INGRESS names a fleet: set ${missing.join(', ')} of an app there, too`);
  return { ingress, app: { id, key, masterKey } };
}

async function main() {
  const fleet = ingress ? namedFleet() : await startFleet();
  const push = openPush(fleet);
  // The phones of two users: in an app each saves itself.
  for (const name of ['Tom', 'Jerry'])
    await push.savePhone({
      deviceType: 'android',
      installationId: `phone-of-${name}`,
      vendor: 'HMS',
      registrationId: `chat-${name}`,
    });
  const chat = await openChat({ push, port: Number(CHAT_PORT) });
  atEnd(() => chat.close());
  process.stdout.write(`The chat is at ${chat.url}\n`);
  if (fleet.phones) process.stdout.write(`The phones show ${fleet.phones}\nThe console is at ${fleet.consoleLink}\n`);
}

main().catch((error) => {
  if (!stopping.signal.aborted) process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  stopping.abort();
});
