/** A device as those know it who send to it. */
interface SentDevice {
  readonly objectId: string;
  readonly registrationId: string;
}

/** One of which nothing is known but its address, which stands in the place of the objectId, in verdicts as well. */
export const deviceAtAddress = (registrationId: string): SentDevice => ({ objectId: registrationId, registrationId });

export const isAtAddress = ({ objectId, registrationId }: SentDevice): boolean => objectId === registrationId;
