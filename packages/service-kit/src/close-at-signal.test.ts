import { closeAtSignal } from './close-at-signal';
import { openCloseStack } from './close-stack';

function stoppable() {
  const hooks: (() => void)[] = [];
  const failures: string[] = [];
  const { add, closeAll } = openCloseStack((name, error) => failures.push(`${name}: ${String(error)}`));
  const signal = (): void => hooks.forEach((hook) => hook());
  return { stops: { onClose: add, onStopping: (run: () => void) => void hooks.push(run) }, signal, closeAll, failures };
}

test('it closes at the signal, once, and the close in its turn waits for that', async () => {
  const said: string[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { stops, signal, closeAll } = stoppable();
  closeAtSignal(stops, 'consumers', () => {
    said.push('takes no more');
    return ended.then(() => said.push('ended'));
  });
  signal();
  expect(said).toEqual(['takes no more']);
  const closed = closeAll().then(() => said.push('closed'));
  end();
  await closed;
  expect(said).toEqual(['takes no more', 'ended', 'closed']);
});

test('without a signal, as after a failed start, it closes in its turn', async () => {
  const close = jest.fn(() => Promise.resolve());
  const { stops, closeAll } = stoppable();
  closeAtSignal(stops, 'consumers', close);
  expect(await closeAll()).toBe(true);
  expect(close).toHaveBeenCalledTimes(1);
});

test('a failure is told when its turn comes', async () => {
  const { stops, signal, closeAll, failures } = stoppable();
  closeAtSignal(stops, 'consumers', () => Promise.reject(new Error('stuck')));
  signal();
  await new Promise(setImmediate);
  expect(await closeAll()).toBe(false);
  expect(failures).toEqual(['consumers: Error: stuck']);
});
