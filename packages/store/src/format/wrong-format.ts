import { MustCorrect } from '../kit/must-correct';

/** A process of this version cannot work with the data of the fleet. A service prints the line and leaves. */
export class WrongFormat extends MustCorrect {
  override readonly name = 'WrongFormat';
}

export const tooOld = ({ data, accepts, own }: Readonly<Record<'data' | 'accepts' | 'own', number>>): WrongFormat =>
  new WrongFormat(
    `FORMAT: this version is too old for the data in Redis: they are of format ${data}, which needs processes of format ` +
      `${accepts} or later, and this one is of format ${own}; start the version that the other processes have (docs/upgrade.md)`,
  );

export const tooNew = ({ data, oldest, own }: Readonly<Record<'data' | 'oldest' | 'own', number>>): WrongFormat =>
  new WrongFormat(
    `FORMAT: this version is too new for the data in Redis: they are of format ${data}, and this one, of format ${own}, ` +
      `migrates format ${oldest} and later; upgrade to a version in between first (docs/upgrade.md)`,
  );

export const damagedFormat = (key: string, field: string): WrongFormat =>
  new WrongFormat(
    `FORMAT: what Redis holds about its own format is damaged, field ${field} of ${key}: ` +
      (field === 'step' ? 'delete the field, and the migration begins anew' : 'put it back from a backup'),
  );
