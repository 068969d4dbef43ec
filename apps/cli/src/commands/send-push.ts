import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Api, RequestOptions } from '../api';
import { Interrupted, RequestError, UsageError } from '../errors';
import type { Io } from '../io';
import { preflightSchema, preflightText } from '../output/preflight';
import { thousands } from '../output/progress';
import { patiently } from '../patient-request';
import { pushBody, type PushWish } from '../push-body';
import { addLeaf, understood, type CommonOptions } from './command';
import { duration, names } from './option-values';
import { addAppFile, openSender, type Sender, type SenderOptions } from './sender';
import { watchPush } from './watch-push';

interface PushOptions extends PushWish, SenderOptions {}

const addMessage = (command: Command): Command =>
  addAppFile(command)
    .option('--data <file>', 'JSON file with the body of the push; - for standard input')
    .option('--text <text>', 'the text that is shown')
    .option('--title <text>', 'the title above it')
    .option('--where <json>', 'a condition on installations (default: all of them)')
    .option('--channels <names>', 'only who subscribed to one of these, with commas between', names)
    .option('--expires-in <duration>', 'what is not delivered by then is not sent, such as 30m or 2h', duration)
    .option('--at <date>', 'send it then, such as 2026-12-24T18:00:00.000Z (default: at once)');

export function addPreflight(pushes: Command, io: Io): void {
  const command = addLeaf(pushes, {
    name: 'preflight',
    summary: 'tell what a push would reach, what it would cost and why not the rest; nothing is sent',
    examples: [
      'pushes preflight --text "Hello" --where \'{"city": "Paris"}\'',
      'pushes preflight --data push.json --exact',
    ],
  });
  addMessage(command)
    .option('--exact', 'look at every installation, which takes longer where there are many')
    .action(async ({ exact, ...options }: PushOptions & { readonly exact?: boolean }) => {
      const { api, show } = await openSender(io, options);
      const body = await pushBody(io, options);
      const answer = await preflight(io, api, { body, query: exact ? { exact: '1' } : {} });
      show(answer, preflightSchema, preflightText);
    });
}

const LATER = { everyMs: 1000, limitMs: 600_000 };
const laterSchema = z.object({ path: z.string() });

/** A push API that is away, or has no room for another pre-flight, is asked again for so long: it sends nothing. */
const PATIENCE_MS = 60_000;

/** A walk that takes long is asked for again until it is done. */
async function preflight(io: Io, api: Api, asked: RequestOptions): Promise<unknown> {
  const giveUpAt = performance.now() + LATER.limitMs;
  const onWait = ({ message }: RequestError): void => io.writeErr(`pushfleet: waiting: ${message}\n`);
  const ask = (...request: Parameters<Api['request']>): Promise<unknown> =>
    patiently(() => api.request(...request), { limitMs: PATIENCE_MS, onWait });
  let answer = await ask('POST', ['push', 'preflight'], asked);
  for (;;) {
    const later = laterSchema.safeParse(answer);
    if (!later.success) return answer;
    if (performance.now() > giveUpAt) throw new RequestError('the pre-flight was not done within ten minutes');
    await delay(LATER.everyMs);
    answer = await ask('GET', ['push', 'preflight', later.data.path.replace(/.*\//, '')]);
  }
}

interface SendOptions extends PushOptions {
  readonly yes?: boolean;
  readonly watch?: boolean;
  readonly reqId?: string;
}

export function addSend(pushes: Command, io: Io): void {
  const command = addLeaf(pushes, {
    name: 'send',
    summary:
      'send a push; at a terminal it is told first what it reaches, and asked for if that is more than one device',
    examples: [
      'pushes send --text "Hello" --where \'{"installationId": "INSTALLATION_ID"}\'',
      'pushes send --data push.json --watch',
      'pushes send --data - --yes < push.json',
    ],
  });
  addMessage(command)
    .option('--yes', 'do not ask')
    .option('--watch', 'show how far it is until it is done, as `pushes watch` does')
    .option('--req-id <id>', 'a push that was sent with this id within five minutes is not sent again')
    .action((options: SendOptions) => send(io, options));
}

const sentSchema = z.looseObject({
  objectId: z.string(),
  warnings: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
});

async function send(io: Io, options: SendOptions): Promise<void> {
  const sender = await openSender(io, options);
  const body = await pushBody(io, options);
  if (io.isTerminal && options.yes !== true) await confirm(io, sender, body);
  const { answer, objectId, warnings = [] } = await sendOnce(sender.api, body, options);
  for (const { path, message } of warnings) io.writeErr(`pushfleet: ${path}: ${message}\n`);
  const sent = `sent ${objectId}\n`;
  if (!options.watch) return sender.show(answer, sentSchema, () => sent);
  io.writeErr(sent);
  await watchPush(io, sender, { push: objectId, ...options });
}

async function confirm(io: Io, { api }: Sender, body: object): Promise<void> {
  const told = understood(preflightSchema, await preflight(io, api, { body }));
  io.writeErr(preflightText(told));
  if (told.devices <= 1 && told.exact) return;
  if (!io.ask) throw new UsageError('nobody can be asked here; --yes sends without asking');
  const answer = await io.ask(`send to ${told.exact ? '' : 'about '}${thousands(told.devices)} devices? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Interrupted('nothing was sent');
}

/** A push that names its request can be asked for again: it is sent once. */
async function sendOnce(api: Api, body: Record<string, unknown>, { reqId }: CommonOptions & SendOptions) {
  const id = reqId ?? body['req_id'] ?? randomBytes(8).toString('hex');
  try {
    const answer = await api.request('POST', ['push'], { body: { ...body, req_id: id } });
    return { ...understood(sentSchema, answer), answer };
  } catch (error) {
    if (!(error instanceof RequestError) || isRefusal(error)) throw error;
    const again = `the same command with --req-id ${String(id)} within five minutes does not send it twice`;
    throw new RequestError(`${error.message}\nIt may have been sent: ${again}.`, { cause: error });
  }
}

/** Whether the push API said that it does not send it. */
const isRefusal = ({ status }: RequestError): boolean => status !== undefined && status < 500;
