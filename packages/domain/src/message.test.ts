import type { JsonObject } from './json';
import { customAttributes, messageFor } from './message';

const message = (data: JsonObject, sections: Record<string, JsonObject> = {}, channel = 'hms') =>
  messageFor({ data, sections }, channel);

describe('custom attributes', () => {
  it('are what is left without reserved keys and keys that begin with an underscore', () => {
    const reserved = { alert: 'a', title: 't', silent: false, sound: 's', badge: 1, action: 'x' };
    const more = { category: 'c', 'content-available': 1, aps: {}, _profile: 'dev', _notificationChannel: 'n' };
    expect(customAttributes({ ...reserved, ...more, k: [1, { a: null }] })).toEqual({ k: [1, { a: null }] });
  });

  it('keep the order of the sender', () => {
    const data = JSON.parse('{"z":1,"alert":"x","a":2,"m":3}') as JsonObject;
    expect(JSON.stringify(customAttributes(data))).toBe('{"z":1,"a":2,"m":3}');
  });

  it('do not come from a section', () => {
    expect(message({ alert: 'a', k: 1 }, { hms: { category: 'IM' } }).attributes).toEqual({ k: 1 });
  });
});

it('names of other platforms and of the service are told apart from attributes', () => {
  const data = { alert: 'a', badge: 1, category: 'c', aps: {}, _x: 1, _notificationChannel: 'n', _channel: 'c', k: 1 };
  expect(message(data).reservedNames).toEqual(['category', 'aps', '_x']);
  expect(message({ alert: 'a', k: 1 })).not.toHaveProperty('reservedNames');
});

it('the one channel of a push comes last among the attributes, and a sender who names one keeps it in the data', () => {
  const sent = messageFor({ data: { alert: 'a', k: 1 }, sections: {} }, 'hms', 'news');
  expect(JSON.stringify(sent.attributes)).toBe('{"k":1,"_channel":"news"}');
  expect(sent.data).toEqual({ alert: 'a', k: 1, _channel: 'news' });
  const own = messageFor({ data: { alert: 'a', _channel: 'mine' }, sections: {} }, 'hms', 'news');
  expect(own.data).toEqual({ alert: 'a', _channel: 'mine' });
});

describe('a section', () => {
  it('overlays the common fields for its own channel alone', () => {
    const sections = { mi: { alert: 'for mi', title: 'mi', silent: true, badge: 3, sound: 'ping', action: 'act' } };
    expect(message({ alert: 'for all', title: 'all' }, sections, 'mi')).toMatchObject({
      ...{ alert: 'for mi', title: 'mi', silent: true, badge: 3, sound: 'ping', action: 'act' },
      data: { alert: 'for mi', title: 'mi', silent: true },
      section: {},
    });
    expect(message({ alert: 'for all', title: 'all' }, sections, 'hms')).toMatchObject({
      alert: 'for all',
      title: 'all',
    });
  });

  it("keeps the vendor's own parameters, objects under common names included", () => {
    const hms = { urgency: 'HIGH', badge: { add_num: 2 }, action: { type: 3 }, sound: {} };
    const { section, ...rest } = message({ alert: 'a', badge: 1, action: 'act' }, { hms });
    expect(section).toEqual(hms);
    expect(rest).toMatchObject({ badge: 1, action: 'act' });
  });

  it('called android is the own channel’s', () => {
    expect(message({ alert: 'a' }, { android: { alert: 'b' } }, 'own').alert).toBe('b');
    expect(message({ alert: 'a' }, { android: { alert: 'b' } }, 'mi').alert).toBe('a');
  });
});

describe('text', () => {
  it('an alert object gives body and title', () => {
    expect(message({ alert: { title: 'T', body: 'B' } })).toMatchObject({ title: 'T', alert: 'B' });
  });

  it('a title of its own wins over the title in the alert', () => {
    expect(message({ alert: { title: 'T', body: 'B' }, title: 'mine' }).title).toBe('mine');
  });

  it('nothing given is empty text, and optional parts are absent', () => {
    const bare = message({ silent: true });
    expect(bare).toEqual({ title: '', alert: '', silent: true, attributes: {}, data: { silent: true }, section: {} });
  });

  it('the notification channel is passed on', () => {
    expect(messageFor({ data: {}, sections: {}, notificationChannel: 'n' }, 'hms').notificationChannel).toBe('n');
  });
});
