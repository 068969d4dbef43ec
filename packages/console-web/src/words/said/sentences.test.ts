import { sayWith } from './sentences';

const say = sayWith({
  'nobody is there': 'niemand ist da',
  '{} of {} parts': 'von {1} Teilen {0}',
  '{}: {}': '{0}: {1*}',
  'all {} of them: {}{}': 'alle {0}: {1}{2*}',
  ' and others': ' und andere',
});

it.each([
  ['nobody is there', 'niemand ist da'],
  ['3 of 7 parts', 'von 7 Teilen 3'],
  ['chess: nobody is there', 'chess: niemand ist da'],
  ['chess: nobody knows', 'chess: nobody knows'],
  ['all 2 of them: and others', 'alle 2: and others'],
  ['all of: them', 'all of: them'],
])('%s', (text, told) => expect(say(text)).toBe(told));

it('says nothing of a text that it does not know', () => {
  for (const text of ['', 'nobody is there!', 'of parts', 'constructor']) expect(say(text)).toBeUndefined();
});
