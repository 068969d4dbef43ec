import { sign, signed } from './sign';

test.each<[string, Record<string, string>, string, string]>([
  [
    'the vendor’s HTTP document',
    {
      appId: '10000',
      messageJson: '{"title":"title","content":"content","pushTimeInfo":{"offLine":1,"validTime":24}}',
      pushIds: 'RA50c6348036344485d01776773577c64740465480a6b',
    },
    '<APP_SECRET>',
    'ac076ff25d9900015a681cb5172aa53b',
  ],
  [
    'the vendor’s Go SDK',
    { appId: '100999', msgType: '0', pushId: '862891030007404100999', subSwitch: '1' },
    '531732bc45324098978bf41c6954c09e',
    '5bd43df385bec6f236c6417d437741e7',
  ],
  [
    'text that needs encoding',
    {
      pushIds: 'Ja,Jb',
      appId: '100999',
      messageJson: '{"noticeBarInfo":{"noticeBarType":0,"title":"标题 &=+","content":"内容"}}',
    },
    'MZS_demo',
    '70125c4918d8d44820940590d734ecee',
  ],
])('the signature agrees with %s', (...[, params, secret, expected]) => {
  expect(sign(params, secret)).toBe(expected);
});

test('the signature stands beside the encoded parameters and does not sign itself', () => {
  const params = { appId: '1', messageJson: '{"a":"&"}' };
  const form = Object.fromEntries(new URLSearchParams(signed(params, 's')));
  expect(form).toEqual({ ...params, sign: sign(params, 's') });
  expect(sign(form, 's')).toBe(form['sign']);
});
