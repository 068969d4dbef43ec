import type { Audience, JsonObject } from '@pushfleet/domain';
import type { DirectPlan } from './plan-direct';
import type { PushText } from './push-text';

/** A place in the schedule of an app. */
export interface ScheduledPlace {
  /** Counted per app: what the API calls the scheduled push. */
  readonly number: number;
  readonly pushId: string;
}

/** A push as the ingress hands it over: checked, with every time in ms since the epoch. */
export interface NewPush extends Omit<PushText, 'createdAt' | 'number'> {
  readonly app: string;
  readonly audience: Audience;
  readonly where: JsonObject;
  readonly isScheduled: boolean;
  readonly reqId?: string | undefined;
  /** Whose key asked for it; absent: the master key. */
  readonly by?: 'app-key' | undefined;
  /** Taken for a scheduled push before it is accepted. */
  readonly place?: ScheduledPlace | undefined;
  /** How long its record is kept once it is done; absent: as others. */
  readonly keepMs?: number | undefined;
  /** Of a push whose devices were found when it came: it needs no dispatcher. It has pages, and none of its devices is refused. */
  readonly plan?: DirectPlan | undefined;
}
