import type { VendorChannel } from '@pushfleet/channel-kit';
import { commonProfileFields } from '@pushfleet/domain';

type Field = VendorChannel['profileFields'][number];

/** What a profile of each channel holds, as a list for readers; what all of them have stands at the end, once. */
export function profileHelp(channels: Readonly<Record<string, VendorChannel>>): string {
  const known = Object.values(channels);
  const own = known.map(
    ({ name, profileFields }) => [name, profileFields.filter((field) => !isCommon(field))] as const,
  );
  const common = known[0]?.profileFields.filter(isCommon) ?? [];
  return [...own, ['Every channel', common] as const].map(([name, fields]) => listOf(name, fields)).join('\n\n');
}

const isCommon = ({ name }: Field): boolean => name in commonProfileFields;

const listOf = (name: string, fields: readonly Field[]): string =>
  [`**${name}**`, '', ...fields.map(lineOf)].join('\n');

function lineOf({ name, isRequired, isSecret, choices = [], descriptions }: Field): string {
  const marks = [isRequired && 'required', isSecret && 'secret'].filter(Boolean).join(', ');
  const among = choices.length > 0 ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  return `- \`${name}\`${marks && ` (${marks})`}: ${descriptions.en}${among}`;
}
