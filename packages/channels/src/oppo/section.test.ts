import { parseSection } from './section';

it.each([
  [{ click_action_type: 0 }, 0],
  [{ click_action_type: 1, click_action_activity: 'com.example.OPEN' }, 1],
  [{ click_action_type: 2, click_action_url: 'https://example.com' }, 2],
  [{ click_action_type: 3, click_action_activity: 'com.example.Page' }, 4],
  [{ click_action_type: 4, click_action_activity: 'com.example.Page' }, 4],
  [{ click_action_type: 4, click_action_activity: 'com.example.Page', click_action_url: 'app://x' }, 4],
  [{ click_action_type: 4, click_action_url: 'app://x' }, 5],
  [{ click_action_type: 5, click_action_url: 'app://x' }, 5],
])('the tap of %j is type %d of the vendor', (section, type) => {
  expect(parseSection(section)).toEqual({ ...section, click_action_type: type });
});

it.each([
  [{ click_action_type: 1 }, 'click_action_activity'],
  [{ click_action_type: 2, click_action_activity: 'x' }, 'click_action_url'],
  [{ click_action_type: 3, click_action_url: 'app://x' }, 'click_action_activity'],
  [{ click_action_type: 4 }, 'click_action_activity'],
  [{ click_action_type: 5 }, 'click_action_url'],
  [{ click_action_type: 6 }, 'click_action_type'],
  [{ click_action_type: '1' }, 'click_action_type'],
])('%j is refused by the name of %s', (section, field) => {
  expect(() => parseSection(section)).toThrow(new RegExp(`^${field}: `));
});

it.each(['target_type', 'target_value', 'registrationId', 'alias', 'call_back_url', 'call_back_parameter'])(
  'a section cannot choose %s',
  (key) => {
    expect(() => parseSection({ [key]: 'x' })).toThrow(key);
    expect(() => parseSection({ notification: { [key]: 'x' } })).toThrow(`notification.${key}`);
  },
);

it('parameters of the app may have any names and are written as text', () => {
  expect(parseSection({ action_parameters: { alias: 'x', n: 1 } })).toEqual({
    action_parameters: '{"alias":"x","n":1}',
  });
  expect(parseSection({ action_parameters: '{"a":1}' })).toEqual({ action_parameters: '{"a":1}' });
});

it('a web page is an address of the web, other schemes are another action', () => {
  const click_action_url = 'myapp://order/1';
  expect(() => parseSection({ click_action_type: 2, click_action_url })).toThrow('http:// or https://');
  expect(parseSection({ click_action_type: 5, click_action_url })).toMatchObject({ click_action_type: 5 });
  expect(() => parseSection({ click_action_type: 2, click_action_url: 'http://example.com' })).not.toThrow();
});

it('parameters are the app’s own, whatever they are called', () => {
  expect(parseSection({ action_parameters: { token: 'x', topic: 'y', callback: 'z' } })).toEqual({
    action_parameters: '{"token":"x","topic":"y","callback":"z"}',
  });
});
