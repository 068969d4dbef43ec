import { type SectionParsers } from '@pushfleet/domain';
import { SectionProblem } from './section';
import type { VendorChannel } from './channel';

/** What checks the sections of a push, by channel. */
export const sectionParsers = (channels: Iterable<VendorChannel>): SectionParsers =>
  Object.fromEntries(Array.from(channels, (channel) => [channel.name, sectionParser(channel)]));

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
