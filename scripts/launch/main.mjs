import { openDemo } from './demo.mjs';
import { environmentOf } from './environment.mjs';
import { isLoopback, planFleet, publicPorts } from './fleet.mjs';
import { openLogs } from './logs.mjs';
import { HELP, parseOptions } from './options.mjs';
import { claimPorts } from './ports.mjs';
import { build, buildPages, installDependencies } from './prepare.mjs';
import { report } from './problem.mjs';
import { step } from './progress.mjs';
import { openRedis } from './redis.mjs';
import { openServices } from './services.mjs';
import { openState } from './state.mjs';
import { showJson, showSummary } from './summary.mjs';
import { writeTargets } from './targets.mjs';
import { INTERRUPTED, underLifeline } from './under-lifeline.mjs';

/** `npm start`, from the arguments to the exit code. */
export async function main(args, env) {
  try {
    const options = parseOptions(args, env);
    if (!options.help) return await serve(options, env);
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Whoever stops a fleet that was to stay up got what they wanted. */
const serve = (options, env) =>
  underLifeline(
    async (lifeline) => {
      const { ok } = await launch({ options, env, lifeline });
      if (options.once) return ok ? 0 : 1;
      await lifeline.stopped();
      return 0;
    },
    options.once ? INTERRUPTED : 0,
  );

async function launch({ options, env: given, lifeline }) {
  const host = given.BIND_ADDRESS || '127.0.0.1';
  const state = await openState({ lifeline, fresh: options.fresh, env: given });
  const ports = await claimPorts(publicPorts, { env: given, host });
  await installDependencies(lifeline, { withTests: false });
  // A fleet that is to run asks for no types: `npm run build` and `npm run check` do.
  await build(lifeline, { checksTypes: false });

  const { channels } = await import('@pushfleet/channels');
  const { simulatorProfiles } = await import('@pushfleet/channels/simulators');
  const { SIMULATOR_SECRET: vendorSecret } = await import('@pushfleet/channel-kit/testing');
  const env = environmentOf(given, channels);
  const services = openServices({ logs: openLogs({ dir: state.at('logs'), json: options.json }), lifeline });
  const redis = await openRedis({ env, state, services, lifeline });
  const urls = await startFleet(planFleet({ env, ports, host, redis, state, channels }), services);
  await writeTargets(state.at('targets.json'), urls.metrics);

  const demo = openDemo({ urls, state, channels, simulatorProfiles, lifeline });
  const shown = await demo.run();
  // After the first pushes, so that they are not later for it.
  if (!options.once) await buildPages(lifeline);
  const consoleLink = isLoopback(host) ? await demo.consoleLink() : undefined;
  const result = { urls, consoleLink, adminToken: state.adminToken, vendorSecret, ...shown };
  (options.json ? showJson : showSummary)(result, { state, staysUp: !options.once });
  return result;
}

/** Gives the public addresses by name, and the address of every process's metrics. */
async function startFleet(groups, services) {
  const found = { metrics: {} };
  for (const specs of groups) {
    const names = specs.map(({ name }) => name);
    const what =
      names.length > 2 ? `Starting ${names.length} processes, ${names[0]} first` : `Starting ${names.join(', ')}`;
    const announced = await step(what, () => services.startAll(specs));
    announced.forEach(({ metrics, ...urls }, i) => {
      Object.assign(found, urls);
      found.metrics[specs[i].name] = metrics;
    });
  }
  return found;
}
