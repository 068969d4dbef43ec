/** When a draft is to be sent. */
export interface Due {
  readonly isLater: boolean;
  /** As an input for date and time has it. */
  readonly sendAt: string;
}

/** The push API sends at once what is due within a minute; a push is on its way for some seconds at most. */
const LEAST_AHEAD_MS = 75_000;

/** Whether a push that is to be sent later would be sent at once; a time that is none is not sent at all. */
export const isTooSoon = ({ isLater, sendAt }: Due, now: number): boolean =>
  isLater && new Date(sendAt).getTime() - now < LEAST_AHEAD_MS;

/** A moment as an input for date and time has it: local time without a zone. */
export const localOf = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length);

/** The moment that such an input means; of a time that is there twice the first. Undefined for one that clocks leave out, or none. */
export function momentOf(sendAt: string): Date | undefined {
  const at = new Date(sendAt);
  return !Number.isNaN(at.getTime()) && sendAt.startsWith(localOf(at)) ? at : undefined;
}

/** Whether the clocks go forward over it: `Date` would take it for a later one. */
export const isLeftOut = (sendAt: string): boolean =>
  !Number.isNaN(new Date(sendAt).getTime()) && momentOf(sendAt) === undefined;

const OFFSET = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' });

/** How far it is from UTC where the page is read, which tells two equal times of one day apart. */
export const offsetOf = (at: Date): string =>
  OFFSET.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
