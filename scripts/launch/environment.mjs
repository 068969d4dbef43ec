import { Problem } from './problem.mjs';
import { say } from './progress.mjs';

/** The demo has its own; what stands in the environment is for the processes that are started by hand. */
const OWN = ['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'ADMIN_TOKEN', 'METRICS_PORT', 'LOG_TO'];
const names = OWN.flatMap((name) => [name, `${name}_FILE`]);

/** The environment without what the demo decides; says what that is, and refuses what would lead it to a real vendor. */
export function environmentOf(env, channels) {
  const origins = Object.values(channels).flatMap(({ endpoints }) => Object.keys(endpoints));
  const vendors = origins.filter((name) => env[name]);
  if (vendors.length > 0) {
    throw new Problem(
      `${vendors.join(', ')}: npm start sends to simulated vendors only, with credentials that no vendor takes.\n` +
        'Unset it, or start the processes by hand (README.md, "Run it").',
    );
  }
  const left = names.filter((name) => env[name]);
  if (left.length > 0) say(`Not used by npm start, which has its own: ${left.join(', ')}`);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
