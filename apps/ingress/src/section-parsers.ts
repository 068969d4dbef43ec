import { SectionProblem, type VendorChannel } from '@pushfleet/channel-kit';
import { type SectionParsers } from '@pushfleet/domain';

/** What checks the sections of a push, by channel. */
export const sectionParsers = (channels: Readonly<Record<string, VendorChannel>>): SectionParsers =>
  Object.fromEntries(Object.values(channels).map((channel) => [channel.name, sectionParser(channel)]));

/** Channels name the field; only the request tells where its section stood. */
function sectionParser({ parseSection }: VendorChannel): SectionParsers[string] {
  return (section, path) => {
    try {
      return parseSection(section);
    } catch (error) {
      throw error instanceof SectionProblem ? new SectionProblem(`${path}.${error.message}`, { cause: error }) : error;
    }
  };
}
