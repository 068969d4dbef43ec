import { setMaxListeners } from 'node:events';
import { openCloseStack, untilOpened } from './close-stack';
import { ConfigError, isConfigError } from './config-error';
import { instrumentsOfService, titleOf, type ProcessInstruments } from './open-instruments';
import type { SettledRole } from './run-role';
import { AFTER_HURRY_MS, type ServiceContext } from './run-service';

type Urls = Readonly<Record<string, string>>;

/** What closes within this needs no more time than the process has anyway. */
const USUAL_DRAIN_MS = 20_000;

/**
 * Opens several roles in one process, each wave of them when the one before serves; resolves with the addresses of all. They
 * close in the opposite order, those of a wave at the same time. Rejects with the name of a role that does not open.
 */
export async function openRoles(
  service: ServiceContext,
  instruments: ProcessInstruments,
  waves: readonly (readonly SettledRole[])[],
): Promise<Urls> {
  const urls: Record<string, string> = {};
  for (const wave of waves) Object.assign(urls, ...(await openWave(service, instruments, wave)));
  return urls;
}

function openWave(
  service: ServiceContext,
  instruments: ProcessInstruments,
  wave: readonly SettledRole[],
): Promise<readonly Urls[]> {
  const opening = wave.map((role) => openRole(service, instruments, role));
  service.onClose('roles', async () => {
    const closed = await Promise.all(opening.map(async ({ title, close }) => ((await close()) ? [] : [title])));
    if (closed.flat().length > 0) throw new Error(`${closed.flat().join(', ')} did not close as they should`);
  });
  return Promise.all(opening.map(({ urls }) => urls));
}

function openRole(service: ServiceContext, process: ProcessInstruments, role: SettledRole) {
  const { stopping, onStopping } = service;
  const title = titleOf(role.name, role.labels);
  const instruments = instrumentsOfService(process, role);
  const stack = openCloseStack((resource, err) => instruments.log.error({ err, resource }, 'close failed'));
  const { leaves, ...patience } = patienceOf(service);
  const stops = { ...patience, stopping, onStopping, onClose: stack.add };
  const urls = role.start(stops, instruments).catch((error: unknown) => {
    throw named(title, error);
  });
  const closed = (): Promise<boolean> => untilOpened(urls).then(() => stack.closeAll());
  return { title, urls, close: () => Promise.race([closed(), leaves]) };
}

/** A role that drains for long keeps the process, not what the other roles cannot close as they should. */
function patienceOf({ cutoff, drainWithin, hurry }: ServiceContext) {
  const own = new AbortController();
  const either = AbortSignal.any([cutoff, own.signal]);
  setMaxListeners(0, either);
  let hasOwnDrain = false;
  let leave = (_isClean: false): void => undefined;
  return {
    cutoff: either,
    drainWithin(ms: number): void {
      if (ms <= USUAL_DRAIN_MS) return;
      hasOwnDrain = true;
      drainWithin(ms);
    },
    hurry(reason: string): void {
      hurry(reason);
      if (hasOwnDrain) return;
      own.abort();
      setTimeout(() => leave(false), AFTER_HURRY_MS);
    },
    leaves: new Promise<false>((resolve) => (leave = resolve)),
  };
}

function named(title: string, cause: unknown): Error {
  if (isConfigError(cause))
    return new ConfigError(
      cause.lines.map((line) => `${title}: ${line}`),
      { cause },
    );
  return new Error(`${title} did not open: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
