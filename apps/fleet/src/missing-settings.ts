import { ConfigError, isConfigError, isMissing } from '@pushfleet/service-kit';

const ADVICE =
  'pushfleet serve: settings are missing: read the file that has them (set -a; . ./pushfleet.env; set +a), ' +
  'or, for a new fleet, write one: npx pushfleet serve --init pushfleet.env';

/** What has to be corrected, with where settings come from when some are not there. */
export function withWhereSettingsAre(error: unknown): unknown {
  if (!isConfigError(error) || !error.lines.some(isMissing)) return error;
  return new ConfigError([...error.lines, ADVICE], { cause: error });
}
