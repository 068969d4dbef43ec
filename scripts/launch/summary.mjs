import { relative } from 'node:path';
import { table } from './table.mjs';

/** One line for programs. */
export function showJson({ ok, urls, consoleLink, app, adminToken, pushes, faults }) {
  process.stdout.write(`${JSON.stringify({ ok, urls, consoleLink, app, adminToken, pushes })}\n`);
  complain(faults);
}

/** The same for people. */
export function showSummary({ urls: { metrics, ...urls }, consoleLink, app, pushes, faults }, { state, staysUp }) {
  const keys = relative(process.cwd(), state.demoApp.path);
  const parts = [
    ...pushes.flatMap((record) => [titleOf(record), books(record)]),
    table([...Object.entries(urls), ...Object.entries(metrics).map(([name, url]) => [`metrics of ${name}`, url])]),
    table([
      ['demo app', `${app.id}, without limits of calls; its keys: ${keys}`],
      ['admin token', relative(process.cwd(), state.at('ADMIN_TOKEN'))],
    ]),
    ...(staysUp && consoleLink ? [`The console, signed in, for ten minutes:\n  ${consoleLink}`] : []),
    ...(staysUp ? ['Send a push yourself:', curl(urls.ingress, app), 'Ctrl-C stops everything.'] : []),
  ];
  process.stdout.write(`\n${parts.join('\n\n')}\n`);
  complain(faults);
}

function complain(faults) {
  if (faults.length === 0) return;
  process.stderr.write(`\nThe demo did not go as it must:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
}

const titleOf = ({ objectId, status, msg }) =>
  `${msg?.silent === true ? 'Silent' : 'Notification'} push ${objectId}: ${status}`;

function books({ channels = {} }) {
  const head = ['channel', 'matched', 'accepted', 'discarded', 'failed', 'outstanding'];
  const columns = Object.entries(channels).sort(([a], [b]) => a.localeCompare(b));
  const rows = columns.map(([name, { matched, accepted, discarded, failed, outstanding }]) => [
    name,
    ...[matched, accepted].map(String),
    ...[discarded, failed].map(reasons),
    String(outstanding),
  ]);
  return table([head, ...rows]);
}

function reasons(counts) {
  const all = Object.entries(counts);
  return all.length === 0 ? '0' : all.map(([reason, count]) => `${count} ${reason}`).join(', ');
}

const curl = (ingress, { id, masterKey }) =>
  [
    `  curl -X POST ${ingress}/1.1/push`,
    `    -H 'X-LC-Id: ${id}' -H 'X-LC-Key: ${masterKey},master' -H 'Content-Type: application/json'`,
    `    -d '{"data": {"alert": "Hello", "title": "From the terminal"}}'`,
  ].join(' \\\n');
