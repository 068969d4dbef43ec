import { createHmac } from 'node:crypto';
import type { HttpRequest } from '@pushfleet/http-edge';
import { leaveLivingCookie } from './living-cookie';

const KEY = 'what cookies are signed with';
const signatureOf = (id: string): string => createHmac('sha256', KEY).update(id).digest('base64').replace(/=+$/, '');

it('a session that is over is looked up once, however often and however spelled its cookie comes', async () => {
  const signature = signatureOf('over');
  const spelled = [
    ...[`s:over.${signature}`, `s%3Aover.${signature}`, `S%3aover.${encodeURIComponent(signature)}`],
    `s:over.%${signature.charCodeAt(0).toString(16)}${signature.slice(1)}`,
  ];
  const living = `pushfleet=s:living.${signatureOf('living')}`;
  const planted = Array.from({ length: 40 }, () => spelled).flat();
  const cookie = [...planted.map((value) => `pushfleet=${value}`), living].join('; ');
  const request = { headers: { cookie } } as HttpRequest;
  const asked: string[] = [];
  const isKnown = (id: string): Promise<boolean> => {
    asked.push(id);
    return Promise.resolve(id === 'living');
  };
  await leaveLivingCookie(request, { name: 'pushfleet', keys: [KEY], isKnown });
  expect(asked).toEqual(['over', 'living']);
  expect(request.headers.cookie).toBe(living);
});
