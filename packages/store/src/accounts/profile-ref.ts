/** A named set of credentials for one channel of one app. */
export interface ProfileRef {
  readonly app: string;
  readonly channel: string;
  readonly profile: string;
}
