import { refuseKeys } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';

/** Who receives a message and where the vendor reports to is not the sender's to say: all spellings that the vendor knows. */
const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  'callback',
];

/** The vendor hands these to the app as they are: their keys are the sender's own. */
const APP_DATA: ReadonlySet<string> = new Set(['data']);

/** The sender's section, checked; further rules of the vendor belong here, each naming its field (`SectionProblem`). */
export const parseSection = (section: JsonObject): JsonObject => refuseKeys(section, TARGETS, APP_DATA);
