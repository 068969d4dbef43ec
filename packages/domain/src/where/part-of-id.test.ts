import { asksForPartOfId, parseWhere } from '.';
import type { JsonObject } from '../json';

it.each<[JsonObject]>([
  [{ installationId: { $regex: '^a' } }],
  [{ objectId: { $gt: 'a' } }],
  [{ registrationId: { $in: ['a', 'b'], $lte: 'b' } }],
  [{ $or: [{ level: 3 }, { $and: [{ deviceToken: { $regex: 'a', $options: 'i' } }] }] }],
])('%j asks for a part of an id', (where) => expect(asksForPartOfId(parseWhere(where))).toBe(true));

it.each<[JsonObject]>([
  [{}],
  [{ installationId: 'a', objectId: { $in: ['a'] }, deviceToken: { $exists: true }, registrationId: { $ne: 'b' } }],
  [{ name: { $regex: '^a' }, $or: [{ level: { $gt: 3 } }, { channels: 'vip' }] }],
])('%j asks for none', (where) => expect(asksForPartOfId(parseWhere(where))).toBe(false));
