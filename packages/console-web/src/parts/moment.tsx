import { useMoment } from '../words/language';

/** A moment as people of the language write it; nothing for what is none. */
export const Moment = ({ at }: { readonly at: unknown }) => useMoment()(at);
