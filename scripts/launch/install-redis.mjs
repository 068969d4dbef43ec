import { aptInstall, canApt } from './apt-install.mjs';
import { brewInstall, canBrew } from './brew-install.mjs';
import { Problem } from './problem.mjs';

const BY_HAND = {
  linux: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends redis-server',
  darwin: 'brew install redis',
};

/** Installs Redis where that needs no questions asked; otherwise says how. */
export async function installRedis(lifeline) {
  const command = BY_HAND[process.platform] ?? BY_HAND.linux;
  const failure = `Redis was not installed. By hand: ${command}`;
  if (canApt()) return aptInstall('redis-server', { lifeline, failure });
  if (await canBrew(lifeline)) return brewInstall('redis', { lifeline, failure });
  throw new Problem(`pushfleet needs Redis 7 or later. Install it:\n\n  ${command}\n\nor name one in REDIS_URL.`);
}
