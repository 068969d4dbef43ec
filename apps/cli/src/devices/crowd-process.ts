import { Crowd } from './crowd';
import type { FromCrowd, ToCrowd } from './crowd-messages';

const TELL_EVERY_MS = 200;

const tell = (message: FromCrowd): void => void process.send?.(message);

let crowd: Crowd | undefined;

function start({ plan, share }: Extract<ToCrowd, { kind: 'start' }>): void {
  const started = new Crowd(plan, share, ({ message }) => tell({ kind: 'hopeless', message }));
  crowd = started;
  started.start();
  setInterval(() => tell({ kind: 'tally', tally: started.tally, lastFailure: started.lastFailure }), TELL_EVERY_MS);
}

async function stop(): Promise<void> {
  const tally = { ...crowd?.tally };
  await crowd?.close();
  process.send?.({ kind: 'over', tally, messages: crowd?.messages ?? {} }, () => process.exit(0));
}

process.on('message', (message: ToCrowd) => {
  if (message.kind === 'start') start(message);
  else void stop();
});
// A terminal interrupts all processes at once; the one that started this says when it is over.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
