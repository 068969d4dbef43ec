import type { Caller } from '../../api/session';
import { differing } from '../../parts/differing';

type Rights = Pick<Caller, 'role' | 'apps'>;

/** As a form holds them. */
export interface RightsForm {
  readonly role: Caller['role'];
  readonly isAll: boolean;
  /** Ids with commas between; empty: none. */
  readonly apps: string;
}

/** As little as a role can have, of no app. */
export const NO_RIGHTS: RightsForm = { role: 'viewer', isAll: false, apps: '' };

const idsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

export const rightsOf = ({ role, isAll, apps }: RightsForm): Rights => ({
  role,
  apps: isAll ? 'all' : [...idsIn(apps)],
});

export const formOf = ({ role, apps }: Rights): RightsForm => ({
  role,
  isAll: apps === 'all',
  apps: apps === 'all' ? '' : apps.join(', '),
});

/** What somebody chose and has not saved. */
export type RightsEdits = Partial<RightsForm>;

export const editsOf = (chosen: RightsForm, saved: RightsForm): RightsEdits => differing(chosen, saved);

/** What is sent of them: nothing that stays as it is, because others may have changed that meanwhile. */
export function changesOf(edits: RightsEdits, saved: RightsForm): Partial<Rights> {
  const { role, apps } = rightsOf({ ...saved, ...edits });
  const isAboutApps = edits.isAll !== undefined || edits.apps !== undefined;
  return { ...(edits.role === undefined ? {} : { role }), ...(isAboutApps ? { apps } : {}) };
}
