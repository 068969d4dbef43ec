import { binaryCodec } from '@pushfleet/own-protocol';
import { dataCommands } from './data-commands';

test('no messages make no command', () => {
  expect(dataCommands([])).toEqual([]);
});

test('every message is in one command, in order, and no command is over 64 KiB', () => {
  const messages = Array.from({ length: 200 }, (_, n) => ({
    id: `m${n}`,
    text: JSON.stringify({ a: '中'.repeat(n * 7) }),
  }));
  const commands = dataCommands(messages);
  expect(commands.flatMap((command) => command.messages)).toEqual(messages);
  for (const command of commands) expect(binaryCodec.encode(command).length).toBeLessThanOrEqual(65_536);
  expect(commands.length).toBeLessThan(12);
});
