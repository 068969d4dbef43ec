import { InvalidArgumentError, type Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readDeviceConfig } from '../config';
import { CrowdProcesses, type CrowdSummary } from '../devices/crowd-processes';
import { sharesOf, type DevicePlan } from '../devices/plan';
import { tallyLine } from '../devices/tally';
import { RequestError, UsageError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { addDeviceWhy } from './device-why';
import { wholeNumber } from './option-values';

interface DevicesOptions {
  readonly count?: number;
  readonly appFile?: string;
  readonly prefix: string;
  readonly register: boolean;
  readonly ackShare: number;
  readonly dropEvery?: number;
  readonly heartbeat: number;
  readonly processes?: number;
  readonly reportEvery: number;
  readonly for?: number;
  readonly json?: boolean;
}

/** Below the limit of open files that a process has nearly everywhere, and enough for one processor. */
const PER_PROCESS = 4000;

const HELP = `
The app's id and key come from --app-file, as \`apps create --json\` prints them, or from PUSHFLEET_APP_ID and
PUSHFLEET_APP_KEY. It goes on until it is interrupted, and then closes every connection. The devices ask the ingress at
PUSHFLEET_INGRESS_URL (default: http://127.0.0.1:8080) for their gateway; PUSHFLEET_GATEWAY_URL stands for its answer where
that is not reached from here.

Examples:
  $ pushfleet devices --count 1000 --app-file app.json
  $ pushfleet apps show APP_ID --json | pushfleet devices --count 20000 --app-file - --drop-every 600
  $ pushfleet devices --count 100 --for 30 --json
  $ pushfleet devices why APP_ID INSTALLATION_ID
`;

export function addDevicesCommand(program: Command, io: Io): void {
  const devices = program
    .command('devices')
    .description('be many devices of the own channel: register, connect, receive and acknowledge')
    // What stands behind the name of a subcommand is the subcommand's.
    .enablePositionalOptions()
    .option('--count <n>', 'devices', wholeNumber)
    .option('--app-file <path>', 'JSON file with id and key of the app; - for standard input')
    .option('--prefix <text>', 'the same prefix means the same devices as before', 'device')
    .option('--no-register', 'the devices are registered already')
    .option('--ack-share <share>', 'share of the devices that acknowledge, 0 to 1', share, 1)
    .option('--drop-every <seconds>', 'how long a device keeps a connection on average', seconds)
    .option('--heartbeat <seconds>', 'time between the pings of a device', seconds, 60)
    .option('--processes <n>', `processes that hold the devices; one for every ${PER_PROCESS}`, wholeNumber)
    .option('--report-every <seconds>', 'time between two lines of counts', seconds, 1)
    .option('--for <seconds>', 'end after this time', seconds)
    .option('--json', 'every line of counts is one line of JSON; the last one holds the messages too')
    .addHelpText('after', HELP)
    .action(async ({ count, ...others }: DevicesOptions, command: Command) => {
      if (count === undefined) return command.error("error: required option '--count <n>' not specified");
      const options = { ...others, count };
      const crowd = new CrowdProcesses(await planOf(io, options), sharesOf(options.count, processesOf(options)));
      const stopReporting = report(io, crowd, options);
      try {
        await Promise.race([crowd.hopeless, io.untilInterrupted(), lifetime(options)]);
      } catch (cause) {
        throw new RequestError((cause as Error).message, { cause });
      } finally {
        stopReporting();
        const summary = await crowd.stop();
        io.writeOut(options.json ? lastLine(summary) : `${tallyLine(summary.tally)}\n`);
      }
    });
  addDeviceWhy(devices, io);
}

/** With a number of devices. */
type CrowdOptions = DevicesOptions & { readonly count: number };

const processesOf = ({ count, processes }: CrowdOptions): number =>
  Math.max(1, processes ?? Math.ceil(count / PER_PROCESS));

const appSchema = z.looseObject({ id: z.string().min(1), key: z.string().min(1) });

async function planOf(io: Io, options: CrowdOptions): Promise<DevicePlan> {
  const { ingressUrl, gatewayUrl, app } = readDeviceConfig(io.env);
  const { id: appId, key: appKey } = options.appFile === undefined ? given(app) : await appOf(io, options.appFile);
  return {
    ingressUrl,
    gatewayUrl,
    appId,
    appKey,
    count: options.count,
    prefix: options.prefix,
    isRegistering: options.register,
    ackShare: options.ackShare,
    heartbeatMs: options.heartbeat * 1000,
    dropEveryMs: options.dropEvery === undefined ? undefined : options.dropEvery * 1000,
  };
}

async function appOf(io: Io, path: string): Promise<z.output<typeof appSchema>> {
  const parsed = appSchema.safeParse(await readJsonObject(io, path));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path}: must hold id and key of the app, both text`);
}

function given<T>(app: T | undefined): T {
  if (app !== undefined) return app;
  throw new UsageError('the app is missing: give --app-file, or PUSHFLEET_APP_ID and PUSHFLEET_APP_KEY');
}

function report(io: Io, crowd: CrowdProcesses, { json, reportEvery }: DevicesOptions): () => void {
  let told: string | undefined;
  const timer = setInterval(() => {
    const { lastFailure } = crowd;
    // Once for each thing that goes wrong, however many devices it happens to.
    if (lastFailure !== undefined && lastFailure !== told) io.writeErr(`failing, and tried again: ${lastFailure}\n`);
    told = lastFailure;
    const line = json ? JSON.stringify({ isLast: false, ...crowd.tally }) : tallyLine(crowd.tally);
    io.writeOut(`${line}\n`);
  }, reportEvery * 1000);
  return () => clearInterval(timer);
}

const lastLine = ({ tally, messages }: CrowdSummary): string =>
  `${JSON.stringify({ isLast: true, ...tally, messages })}\n`;

const lifetime = (options: DevicesOptions): Promise<unknown> =>
  options.for === undefined ? new Promise(() => undefined) : delay(options.for * 1000, undefined, { ref: false });

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Must be a number of seconds above 0.');
}

function share(text: string): number {
  const value = Number(text);
  if (/^\d(\.\d{1,6})?$/.test(text) && value <= 1) return value;
  throw new InvalidArgumentError('Must be a number from 0 to 1.');
}
