import { corsPreflight } from './cors';

const allowed = (requested?: string): readonly string[] => {
  const headers = requested === undefined ? {} : { 'access-control-request-headers': requested };
  return corsPreflight(headers).headers?.['access-control-allow-headers']?.split(', ') ?? [];
};

it('a browser may send the headers of every client', () => {
  expect(allowed()).toEqual(expect.arrayContaining(['Content-Type', 'X-LC-Id', 'X-LC-Sign', 'X-LC-UA', 'X-LC-Prod']));
  expect(allowed()).toContain('X-AVOSCloud-Request-Sign');
});

it('a client header that is not known yet is allowed, any other is not', () => {
  expect(allowed('x-lc-id, X-LC-Tomorrow, x-evil')).toContain('X-LC-Tomorrow');
  expect(allowed('x-lc-id, X-LC-Tomorrow, x-evil')).not.toContain('x-evil');
});
