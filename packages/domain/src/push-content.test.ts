import { InvalidInput } from './invalid-input';
import type { Json, JsonObject } from './json';
import { parseContent, type SectionParsers } from './push-content';

const asItIs = (section: JsonObject): JsonObject => section;
const PARSERS: SectionParsers = { hms: asItIs, mi: (section) => ({ ...section, checked: true }), vivo: asItIs };
const parse = (body: JsonObject) => parseContent(body, PARSERS);

describe('sections', () => {
  it('stand in data or at the top level and are kept apart from the data', () => {
    const content = parse({ data: { alert: 'a', k: 1, hms: { category: 'IM' } }, vivo: { pushMode: 1 } });
    expect(content).toEqual({
      data: { alert: 'a', k: 1 },
      sections: { hms: { category: 'IM' }, vivo: { pushMode: 1 } },
    });
  });

  it('inside data win over the same section at the top level', () => {
    const content = parse({ data: { alert: 'a', hms: { title: 'in' } }, hms: { title: 'out', urgency: 'HIGH' } });
    expect(content.sections).toEqual({ hms: { title: 'in' } });
  });

  it('go through the parser of their channel', () => {
    expect(parse({ data: { mi: { title: 't' } } }).sections).toEqual({ mi: { title: 't', checked: true } });
  });

  it.each(['ios', 'android', 'fcm', 'wp'])('of %s are no custom attributes', (name) => {
    expect(parse({ data: { alert: 'a', [name]: { alert: 'b' } } })).toEqual({
      data: { alert: 'a' },
      sections: { [name]: { alert: 'b' } },
    });
  });

  it('an attribute may be called like the own channel', () => {
    const content = parseContent({ data: { alert: 'a', own: 'goal' } }, { ...PARSERS, own: asItIs });
    expect(content).toEqual({ data: { alert: 'a', own: 'goal' }, sections: {} });
  });

  it('the own channel parses the section called android', () => {
    const own = (section: JsonObject): JsonObject => ({ ...section, checked: true });
    expect(parseContent({ data: { android: { alert: 'b' } } }, { own }).sections).toEqual({
      android: { alert: 'b', checked: true },
    });
  });

  it('null is no section', () => {
    expect(parse({ data: { alert: 'a', hms: null } }).sections).toEqual({});
  });

  it('must be objects', () => {
    expect(() => parse({ data: { alert: 'a', hms: 'x' } })).toThrow(
      new InvalidInput('wrong-type', 'data.hms: must be an object'),
    );
  });

  it('may carry the badge object of the vendor, but no badge out of range', () => {
    expect(parse({ data: { hms: { badge: { add_num: 1 } } } }).sections).toEqual({ hms: { badge: { add_num: 1 } } });
    expect(() => parse({ data: { hms: { badge: 100 } } })).toThrow(/^data\.hms\.badge/);
  });
});

describe('common fields', () => {
  it.each<[string, Json]>([
    ['silent', 'true'],
    ['silent', 1],
    ['alert', 7],
    ['alert', null],
    ['title', {}],
    ['badge', 1.5],
    ['badge', -1],
    ['badge', 100],
    ['badge', 'increment'],
    ['badge', { set: 1 }],
  ])('%s cannot be %j', (field, value) => {
    expect(() => parse({ data: { alert: 'a', [field]: value } })).toThrow(InvalidInput);
    expect(() => parse({ data: { alert: 'a', [field]: value } })).toThrow(`data.${field}: must be`);
  });

  it.each<[Json]>([[0], [99], ['Increment']])('badge can be %j', (badge) => {
    expect(parse({ data: { alert: 'a', badge } }).data).toEqual({ alert: 'a', badge });
  });

  it('alert may be an object, as for iOS', () => {
    expect(() => parse({ data: { alert: { title: 't', body: 'b' } } })).not.toThrow();
  });
});

describe('_notificationChannel', () => {
  it('is taken from data first, then from the top level', () => {
    const data = { alert: 'a', _notificationChannel: 'in' };
    expect(parse({ data, _notificationChannel: 'out' }).notificationChannel).toBe('in');
    expect(parse({ data: { alert: 'a' }, _notificationChannel: 'out' }).notificationChannel).toBe('out');
  });
});

describe('a badge at the top level', () => {
  it('is the same as in data, which wins', () => {
    expect(parse({ data: { alert: 'a' }, badge: 3 }).data).toEqual({ alert: 'a', badge: 3 });
    expect(parse({ data: { alert: 'a', badge: 0 }, badge: 3 }).data).toEqual({ alert: 'a', badge: 0 });
  });

  it('is checked like one in data', () => {
    expect(() => parse({ data: { alert: 'a' }, badge: 100 })).toThrow(/^badge: must be/);
  });
});
