import { flagsOf, refuseKeptByNpm } from './flags.mjs';

export const HELP = `Usage: npm start [-- FLAGS]

Builds and starts a complete local fleet with simulated vendors, sends two demo pushes and shows their records.

  --once   leave after the demo; exit code 0 if the records are as they must be
  --json   print the result as one line of JSON on stdout; logs go to stderr (npm start --silent -- --json)
  --fresh  forget the demo app, the keys and the data of earlier runs first
  --help   show this

Environment: INGRESS_PORT (8080), CONSOLE_PORT (8083), SIMULATOR_PORT (8090), USER_INFO_PORT (8081),
GATEWAY_PORT (8082): 0 takes any free port. REDIS_URL uses a Redis that runs already, under a key prefix, and deletes
nothing in it. PUSHFLEET_STATE_DIR (.pushfleet) is where keys, data and logs are kept.
Addresses of vendors (HMS_PUSH_URL and the like) are refused: vendors are simulated. NO_COLOR switches colours off.
`;

/** `json` is a setting of npm, too, which anybody may have set for all of their packages. */
const OWN = ['once', 'fresh'];

export function parseOptions(args, env) {
  refuseKeptByNpm(env, { names: OWN, command: 'npm start' });
  const flags = flagsOf(args, { names: [...OWN, 'json', 'help'], help: HELP });
  return { once: false, json: false, fresh: false, help: false, ...flags };
}
