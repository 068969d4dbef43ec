import { channels } from '@pushfleet/channels';
import { describeReference, expectEveryProblem } from '@pushfleet/http-edge/testing';
import { PROBLEMS } from '../http/problem';
import { openApiDocument } from './document';

const document = openApiDocument();

describeReference(document);

test('every error of the table is told of somewhere', () => expectEveryProblem(document, { problems: PROBLEMS }));

test('every field of every profile is explained where a profile is stored', () => {
  const { description = '' } = document.paths['/api/v1/apps/{id}/profiles/{channel}/{profile}']?.['put'] ?? {};
  for (const { name, profileFields } of Object.values(channels)) {
    expect(description).toContain(`**${name}**`);
    for (const field of profileFields) {
      expect([name, field.name, field.description ?? '']).toEqual([name, field.name, expect.stringMatching(/\w{3}/)]);
      expect(description).toMatch(new RegExp(`- \`${field.name}\`.*: \\S`));
    }
  }
});
