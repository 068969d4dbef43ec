import { misspelledKeys } from './misspelled-keys';

const KNOWN = ['channels', 'where', 'data', 'push_time', 'expiration_interval', 'prod', 'hms', 'mi'];

it.each([
  ['chanels', 'channels'],
  ['channel', 'channels'],
  ['Channels', 'channels'],
  ['pushTime', 'push_time'],
  ['exipration_interval', 'expiration_interval'],
  ['were', 'where'],
  ['date', 'data'],
])('%s is told, because %s is what is read', (given, name) => {
  expect(misspelledKeys([given, 'unlike'], KNOWN)).toEqual([
    { path: given, message: `is not read; ${name} is the parameter of a similar name` },
  ]);
});

it.each([['comment'], ['my'], ['id'], ['trace_id'], ['x'.repeat(41)]])('%s is no slip', (given) => {
  expect(misspelledKeys([given], KNOWN)).toEqual([]);
});
