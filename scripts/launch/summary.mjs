import { relative } from 'node:path';
import { coloured } from './progress.mjs';
import { table } from './table.mjs';

/** One line for programs. */
export function showJson({ ok, urls, consoleLink, app, adminToken, pushes, faults }) {
  process.stdout.write(`${JSON.stringify({ ok, urls, consoleLink, app, adminToken, pushes })}\n`);
  complain(faults);
}

const ADDRESSES = {
  console: 'console',
  ingress: 'push API, /docs',
  userInfo: 'user information, /docs',
  gateway: 'WebSockets of devices',
  simulator: 'simulated vendors',
};

/** The same for people: two tables, five addresses, three commands, and what comes after the demo. */
export function showSummary({ urls, consoleLink, app, pushes, faults, vendorSecret }, { state, staysUp }) {
  const at = (path) => relative(process.cwd(), path);
  const parts = [
    ...pushes.map((record) => [titleOf(record), books(record)].join('\n')),
    'Discarded as it must be: every vendor has a demo device that is gone, and\nsome vendors take no silent push.',
    table(
      Object.entries(ADDRESSES)
        .filter(([name]) => urls[name])
        .map(([name, about]) => [about, urls[name]]),
    ),
    table([
      ['metrics of all', at(state.at('targets.json'))],
      ['keys, master key', at(state.demoApp.path)],
      ['ADMIN_TOKEN', at(state.at('ADMIN_TOKEN'))],
      // For profiles: the simulated vendors know no other.
      ['secret of vendors', vendorSecret],
    ]),
    ...(staysUp
      ? [next({ ingress: urls.ingress, console: urls.console, consoleLink, app, token: at(state.at('ADMIN_TOKEN')) })]
      : []),
    'To run it for real: npx pushfleet serve --init pushfleet.env (docs/operate.md)',
  ];
  process.stdout.write(`\n${parts.join('\n\n')}\n`);
  complain(faults);
}

function complain(faults) {
  if (faults.length === 0) return;
  process.stderr.write(`\nThe demo did not go as it must:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
}

const titleOf = ({ objectId, status, msg }) =>
  `${coloured(process.stdout, status === 'done' ? 'green' : 'red', status === 'done' ? '✓' : '✗')} ${msg?.silent === true ? 'Silent' : 'Notification'} push ${objectId}: ${status}`;

function books({ channels = {} }) {
  const head = ['channel', 'devices', 'accepted', 'discarded', 'failed'];
  const columns = Object.entries(channels).sort(([a], [b]) => a.localeCompare(b));
  const rows = columns.map(([name, { matched, accepted, discarded, failed }]) => [
    name,
    ...[matched, accepted].map(String),
    ...[discarded, failed].map(reasons),
  ]);
  return table([head, ...rows]);
}

function reasons(counts) {
  const all = Object.entries(counts);
  return all.length === 0 ? '0' : all.map(([reason, count]) => `${count} ${reason}`).join(', ');
}

/** The app key is in every package of the app and may be shown; the master key may not. */
function next({ ingress, console: admin, consoleLink, app: { id, key }, token }) {
  const commands = [
    ...(consoleLink ? [['Look around, signed in for ten minutes:', consoleLink]] : []),
    [
      'Send a push:',
      `curl ${ingress}/1.1/push -H 'X-LC-Id: ${id}' \\\n    -H 'X-LC-Key: ${key}' \\\n    -H 'Content-Type: application/json' \\\n    -d '{"data": {"alert": "Hello"}}'`,
    ],
    [
      'Ask whether all is well:',
      `export PUSHFLEET_URL=${admin}\n  export ADMIN_TOKEN=$(cat ${token})\n  npx pushfleet doctor`,
    ],
    ["See the app's pushes:", `npx pushfleet pushes list ${id}`],
  ];
  return `Next, in a second terminal in this folder (Ctrl-C here stops everything):\n\n${commands.map(([what, command]) => `${what}\n  ${command}`).join('\n\n')}`;
}
