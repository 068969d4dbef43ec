import { channels } from '@pushfleet/channels';
import { describeReference, documentedAnswers, expectEveryProblem } from '@pushfleet/http-edge/testing';
import { PROBLEMS } from '../http/problem';
import { openApiDocument } from './document';

const document = openApiDocument();

describeReference(document);

test('every error of the table is told of somewhere', () => expectEveryProblem(document, { problems: PROBLEMS }));

test('a push expires in one way, and goes to those of one condition', () => {
  const validate = documentedAnswers(document).checkAt('components', 'schemas', 'Push');
  const at = { expiration_time: '2027-01-01T00:00:00.000Z' };
  const valid = [at, { ...at, expiration_interval: 5 }, { where: {} }, { where: {}, cql: 'select' }].map((fields) =>
    validate({ data: { alert: 'a' }, ...fields }),
  );
  expect(valid).toEqual([true, false, true, false]);
});

test('a replaced key is one of the two', () => {
  const { parameters } = document.paths['/api/v1/apps/{id}/replaced-keys/{which}']?.['delete'] ?? {};
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: 'which', schema: { type: 'string', enum: ['key', 'masterKey'] } }),
  );
});

test('every field of every profile is explained where a profile is stored', () => {
  const { description = '' } = document.paths['/api/v1/apps/{id}/profiles/{channel}/{profile}']?.['put'] ?? {};
  for (const { name, profileFields } of Object.values(channels)) {
    expect(description).toContain(`**${name}**`);
    for (const field of profileFields) {
      expect([name, field.name, field.descriptions.en]).toEqual([name, field.name, expect.stringMatching(/\w{3}/)]);
      expect(description).toMatch(new RegExp(`- \`${field.name}\`.*: \\S`));
    }
  }
});
