import type { Command } from 'commander';
import { z } from 'zod';
import { openSenderApi, type Api } from '../api';
import { readSenderConfig } from '../config';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { readJsonObject } from '../json-input';
import { openShow, type CommonOptions, type Session } from './command';

export interface SenderOptions extends CommonOptions {
  readonly appFile?: string;
}

export interface Sender {
  readonly api: Api;
  readonly show: Session['show'];
}

export const addAppFile = (command: Command): Command =>
  command
    .option('--app-file <path>', 'JSON file with id and masterKey of the app, as `apps create --json` prints them')
    .addHelpText(
      'after',
      '\nThe app is that of --app-file, or of PUSHFLEET_APP_ID and PUSHFLEET_MASTER_KEY (or PUSHFLEET_MASTER_KEY_FILE);\n' +
        'PUSHFLEET_INGRESS_URL is the address of the push API (default: http://127.0.0.1:8080).',
    );

const appSchema = z.looseObject({ id: z.string().min(1), masterKey: z.string().min(1) });

/** What a sender's command works with. */
export async function openSender(io: Io, { appFile, ...options }: SenderOptions): Promise<Sender> {
  const { ingressUrl, ...given } = readSenderConfig(io.env);
  const app = appSchema.safeParse(appFile === undefined ? given : await readJsonObject(io, appFile));
  if (app.success) return { api: openSenderApi({ ingressUrl, ...app.data }), show: openShow(io, options) };
  if (appFile !== undefined) throw new UsageError(`${appFile}: must hold id and masterKey of the app, both text`);
  throw new UsageError('the app is missing: give --app-file, or PUSHFLEET_APP_ID and PUSHFLEET_MASTER_KEY');
}
