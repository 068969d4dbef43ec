import { canonicalRequest } from './canonical-request';
import { computeMac, formatMacHeader, isMacAlgorithm, MAC_ALGORITHMS, signRequest, type MacAlgorithm } from './sign';
import vectors from './vectors.json';

const secretOf = ({ macKey, macAlgorithm }: { macKey: string; macAlgorithm: string }) => ({
  macKey,
  macAlgorithm: macAlgorithm as MacAlgorithm,
});

describe('canonicalRequest', () => {
  it('ends every value with a line feed, an empty extension included', () => {
    const request = {
      ...{ ts: '1618221750', nonce: 'adssd', method: 'GET', host: 'tds-tapsdk.cn.tapapis.com', port: 443 },
      uri: '/api/v1/user/info?client_id=0RiAlMny7jiz086FaU',
    };
    const text =
      '1618221750\nadssd\nGET\n/api/v1/user/info?client_id=0RiAlMny7jiz086FaU\ntds-tapsdk.cn.tapapis.com\n443\n\n';
    expect(canonicalRequest(request)).toBe(text);
  });

  it('keeps the spelling of the address and the extension', () => {
    const uri = '/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q';
    const request = { ts: '264095', nonce: '7d8f3e4a', method: 'POST', uri, host: 'example.com', port: 80 };
    expect(canonicalRequest({ ...request, ext: 'a,b,c' })).toBe(
      `264095\n7d8f3e4a\nPOST\n${uri}\nexample.com\n80\na,b,c\n`,
    );
  });
});

it.each(vectors.primitive)('computes $name', ({ text, mac, ...secret }) => {
  expect(computeMac(text, secretOf(secret))).toBe(mac);
});

it.each(vectors.requests)('signs $name', ({ mac, macKey, macAlgorithm, ...request }) => {
  expect(signRequest(request, secretOf({ macKey, macAlgorithm }))).toBe(mac);
});

it.each(vectors.refused)('does not sign like $name', ({ mac, macKey, macAlgorithm, ...request }) => {
  expect(signRequest(request, secretOf({ macKey, macAlgorithm }))).not.toBe(mac);
});

it('knows its algorithms by name', () => {
  expect(MAC_ALGORITHMS).toEqual(['hmac-sha-1', 'hmac-sha-256']);
  expect(MAC_ALGORITHMS.every(isMacAlgorithm)).toBe(true);
  expect(['sha1', 'toString', ''].some(isMacAlgorithm)).toBe(false);
});

it('writes the header as the service documents it', () => {
  expect(formatMacHeader({ id: '1/a', ts: '1', nonce: 'b==', mac: 'c+/=' })).toBe(
    'MAC id="1/a",ts="1",nonce="b==",mac="c+/="',
  );
});
