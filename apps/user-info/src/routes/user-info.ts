import { userAnswer } from '../http/answer';
import { type Handle } from '../http/endpoint';
import { Refusal } from '../http/problem';
import { type RequireMac } from '../http/require-mac';

export const USER_INFO_PATH = '/api/v1/user/info';

/** The profile of the user whose token signed the request. */
export function userInfoRoute({ requireMac, now }: { requireMac: RequireMac; now: () => number }): Handle {
  return async (req) => {
    const { user } = await requireMac(req);
    if (user === undefined) throw new Refusal('not_found', 'the user does not exist any more');
    return userAnswer(user, now());
  };
}
