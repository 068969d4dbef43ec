import type { LookUpKind } from '../keys';

/** An id that one installation has at a time; a deviceToken several may have. */
export type Exclusive = Exclude<LookUpKind, 'deviceToken'>;

/** What a record that wants an id finds: whom the look-up names, and whether that record bears it out. */
export type Finding =
  'names nobody' | 'names it' | 'names one that is not there' | 'names one without it' | 'names one with it';

/** Who wants the id for a record; an import is told from another by the age of the version that has it. */
export type Claimer = 'first save' | 'later save' | 'newer import' | 'older import';

/**
 * `claimed`: it may be written into the record now. `release`: what the look-up says is out of date or not written yet,
 * and is made to say nothing. `take`: the one that has it is written without it. `leave`: it is that one's, or will be.
 */
export type Step = 'claimed' | 'release' | 'take' | 'leave';

type Row = Readonly<Record<Claimer, Step>>;

const always = (step: Step): Row => ({
  'first save': step,
  'later save': step,
  'newer import': step,
  'older import': step,
});

/** Who may have an id: the whole of the protocol, as README.md explains it. */
export const PROTOCOL: Readonly<Record<Exclusive, Readonly<Record<Finding, Row>>>> = {
  installationId: {
    'names nobody': always('claimed'),
    'names it': always('claimed'),
    'names one that is not there': { ...always('release'), 'first save': 'leave' },
    'names one without it': always('release'),
    'names one with it': { ...always('leave'), 'newer import': 'take' },
  },
  registrationId: {
    'names nobody': always('claimed'),
    'names it': always('claimed'),
    'names one that is not there': always('release'),
    'names one without it': always('release'),
    'names one with it': { ...always('take'), 'older import': 'leave' },
  },
};
