import { layOver } from '@pushfleet/channel-kit';
import { SIMULATOR_SECRET, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { signed } from './sign';
import { makeSimulator } from './simulator';

const API = '/garcia/api/server/push';
const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
const NOTICE = { noticeBarInfo: { title: 't', content: 'c' }, pushTimeInfo: { offLine: 1, validTime: 24 } };

function codeOf(request: Partial<SimulatorRequest>, strict: readonly string[] = []): string {
  const simulator = makeSimulator({ now: () => 1_700_000_000_000 });
  expect(simulator.strict?.set(strict)).toEqual([]);
  const whole = { method: 'POST', path: '', query: new URLSearchParams(), headers: FORM, body: '', ...request };
  return (JSON.parse(simulator.answer(whole).body) as { code: string }).code;
}

const push = (message: JsonObject): Partial<SimulatorRequest> => {
  const params = { appId: '100999', pushIds: 'id1', messageJson: JSON.stringify(layOver(NOTICE, message)) };
  return { path: `${API}/varnished/pushByPushId`, body: signed(params, SIMULATOR_SECRET) };
};

const statistics = signed({ appId: '100999', startTime: '20231113', endTime: '20231113' }, SIMULATOR_SECRET);

const TAKEN: readonly (readonly [name: string, source: string, request: Partial<SimulatorRequest>])[] = [
  ['an empty notifyKey', 'Java SDK, 2025-04', push({ advanceInfo: { notifyKey: '' } })],
  ['an empty extra', 'Java SDK, 2025-04', push({ extra: {} })],
  ['flags as booleans', 'Java SDK 1.2.13', push({ pushTimeInfo: { offLine: true }, advanceInfo: { suspend: true } })],
  [
    'the empty fields of the library',
    'Java SDK 1.2.13',
    push({ clickTypeInfo: { clickType: 0, url: '', activity: '', customAttribute: '' }, noticeExpandInfo: {} }),
  ],
  [
    'the empty features of the library',
    'Java SDK 1.2.13',
    push({
      vipInfo: {
        ...{ subtitle: '', pullDownTop: false, timeTop: 0, notGroup: false, titleColor: '' },
        ...{ backgroundImgUrl: '', smallIconUrl: '', bigIconUrl: '' },
      },
      advanceInfo: { fixDisplay: false, fixStartDisplayTime: '', fixEndDisplayTime: '' },
    }),
  ],
  [
    'features of an app that has them',
    'PushAPI README, 2025-04-09',
    push({ vipInfo: { subtitle: 's', timeTop: 7200, titleColor: '#E42D22' } }),
  ],
  [
    'a time of display',
    'PushAPI README, 2025-04-09',
    push({
      advanceInfo: {
        ...{ fixDisplay: 1, fixStartDisplayTime: '2026-03-01 08:00:00', fixEndDisplayTime: '2026-03-01 09:00:00' },
      },
    }),
  ],
  ['fields that the document does not have', 'Java SDK 1.2.13', push({ pushTimeInfo: { fixSpeed: false } })],
  ['statistics by POST', 'Java SDK, 2025-04, README', { path: `${API}/statistics/dailyPushStatics`, body: statistics }],
  [
    'statistics by GET',
    'PushAPI README, 2025-04-09',
    { method: 'GET', path: `${API}/statistics/dailyPushStatics`, query: new URLSearchParams(statistics), headers: {} },
  ],
];

test.each(TAKEN)('%s is taken (%s)', (_, _source, request) => {
  expect(codeOf(request)).toBe('200');
});

test.each<[string, JsonObject]>([
  ['a parameter for receipts without an address', { extra: { 'callback.param': 'p' } }],
  ['an empty address beside a parameter', { extra: { callback: '', 'callback.param': 'p' } }],
  ['an address that is none', { extra: { callback: 'nowhere' } }],
])('%s is refused (PushAPI README, 2025-04-09)', (_, message) => {
  expect(codeOf(push(message))).toBe('1005');
});

test('a callback that no console knows is refused only when told to be strict', () => {
  const request = push({ extra: { callback: 'https://push.example.com/c', 'callback.param': 'p' } });
  expect(codeOf(request)).toBe('200');
  expect(codeOf(request, ['registered-callback'])).toBe('1005');
});
