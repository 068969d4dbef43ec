// First: a signal that comes while the rest is loaded is kept for it.
import { signals } from '@pushfleet/service-kit/signals';
import { isConfigError, processEnv, runService } from '@pushfleet/service-kit';
import { withWhereSettingsAre } from './missing-settings';
import { readOptions, USAGE, type Options } from './options';
import { serveRoles } from './serve';
import { writeSettings } from './write-settings';

/** One line for whoever started it; a defect is thrown. */
function told(error: unknown, exitCode: number): void {
  if (!isConfigError(error) && !(error instanceof TypeError)) throw error;
  process.stderr.write(`pushfleet serve: ${error.message}\n`);
  process.exitCode = exitCode;
}

function serve({ json, 'redis-dir': redisDir }: Options): Promise<void> {
  const env = json ? { ...processEnv(), LOG_TO: 'stderr' } : processEnv();
  const start = async (service: Parameters<Parameters<typeof runService>[1]>[0]): Promise<void> => {
    const urls = await serveRoles(service, env, redisDir).catch((error: unknown) => {
      throw withWhereSettingsAre(error);
    });
    service.announce({ urls });
    if (json) process.stdout.write(`${JSON.stringify({ ok: true, pid: process.pid, urls })}\n`);
  };
  return runService('fleet', start, { signals });
}

function main(argv: readonly string[]): void {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    return told(error, 2);
  }
  if (options.help) return void process.stdout.write(USAGE);
  if (options.init === undefined) return void serve(options);
  try {
    process.stdout.write(writeSettings(options.init));
  } catch (error) {
    told(error, 1);
  }
}

main(process.argv.slice(2));
