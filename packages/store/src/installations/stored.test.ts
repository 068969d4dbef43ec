import type { JsonObject } from '@pushfleet/domain';
import { decodeInstallation, encodeInstallation, installationIdOfText, type StoredInstallation } from './stored';

const stored = (doc: JsonObject): StoredInstallation => ({ objectId: 'o', doc, isRetired: false });
const textOf = (doc: JsonObject): string => encodeInstallation(stored(doc), undefined);

describe('the installationId of a stored text is that of its document', () => {
  test.each<readonly [string, JsonObject]>([
    ['first', { installationId: 'a1', deviceType: 'android' }],
    ['last', { deviceType: 'android', channels: ['x', 'y'], installationId: 'a1' }],
    ['behind an object', { tags: { a: { b: 1 } }, installationId: 'a1' }],
    ['before an object that has one too', { installationId: 'a1', owner: { installationId: 'b2' } }],
    ['behind an object that has one too', { owner: { installationId: 'b2' }, installationId: 'a1' }],
    ['of an object within alone', { owner: { installationId: 'b2' } }],
    ['of an object in a list alone', { owners: [{ installationId: 'b2' }] }],
    ['in a text', { note: '{"installationId":"b2"}', name: ',"installationId":"b2"' }],
    ['in the name of a member', { 'x"installationId': 'b2' }],
    ['with signs that are escaped', { installationId: 'a"\\\n\u2028😀1' }],
    ['empty', { installationId: '' }],
    ['no text', { installationId: 7, other: 'installationId' }],
    ['null', { installationId: null }],
    ['absent', { deviceType: 'android' }],
    ['of nothing', {}],
  ])('%s', (_, doc) => {
    const text = textOf(doc);
    const installationId = decodeInstallation('o', text, '')?.doc['installationId'];
    expect(installationIdOfText('o', text)).toBe(typeof installationId === 'string' ? installationId : undefined);
  });

  test('behind a bucket with every sign', () => {
    const entry = { bucket: 'hms/{"installationId":"b2"', address: 'o r', channels: [] };
    const text = encodeInstallation(stored({ installationId: 'a1' }), entry);
    expect(installationIdOfText('o', text)).toBe('a1');
  });
});
