import { Command } from 'ioredis';
import { BytesCommand } from './bytes-command';

const library = (args: readonly (string | number | Buffer)[]): Buffer =>
  Buffer.from(new Command('evalsha', [...args]).toWritable({}));

test.each([
  ['bytes between texts', ['sha', 1, 'key', Buffer.from([0, 255, 13, 10, 36]), 'text']],
  ['bytes at the end', ['sha', 0, Buffer.alloc(30_000, 200)]],
  ['bytes twice, with none between them', ['sha', 0, Buffer.from('a'), Buffer.alloc(0), Buffer.from('\r\n')]],
  ['texts of several bytes a character, and empty ones', ['sha', 0, '', '推送 «gone»', Buffer.from('x'), '€', '']],
] as const)('a command with %s goes out as the client library writes it', (_, args) => {
  expect(new BytesCommand('evalsha', args).toWritable()).toEqual(library(args));
});
