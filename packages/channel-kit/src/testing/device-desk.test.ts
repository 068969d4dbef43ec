import { DeviceDesk } from './device-desk';

const NONE = { gone: [], malformed: [], left: [] };

test('dead and malformed registrations are told from the ones that are taken', () => {
  expect(new DeviceDesk().sort(['a', 'gone-1', 'b', 'bad-1'])).toEqual({
    taken: ['a', 'b'],
    gone: ['gone-1'],
    malformed: ['bad-1'],
    left: [],
  });
});

test('a vendor in trouble leaves out every second device, as long as the trouble lasts', () => {
  const desk = new DeviceDesk();
  const ids = ['a', 'gone-1', 'b', 'c'];
  expect(desk.partly(() => desk.sort(ids))).toEqual({
    taken: ['a', 'c'],
    gone: ['gone-1'],
    malformed: [],
    left: ['b'],
  });
  expect(desk.sort(['a', 'b'])).toEqual({ ...NONE, taken: ['a', 'b'] });
});

test('a call for one device has no part to leave out', () => {
  const desk = new DeviceDesk();
  expect(desk.partly(() => desk.sort(['a']))).toEqual({ ...NONE, taken: ['a'] });
});
