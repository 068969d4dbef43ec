import type { Schemas } from '../api/client';
import { useWords } from '../words/language';
import { Moment } from './moment';

/** Where a push stands; of a cancelled one that matters more than that nothing of it is left to do. */
export function PushStatus({ push }: { readonly push: Schemas['PushRecord'] }) {
  const t = useWords();
  if (push.cancelled === true) return <span>{t('cancelled')}</span>;
  if (push.status !== 'scheduled') return <span>{t(push.status)}</span>;
  return (
    <span>
      {t('scheduledFor')} <Moment at={push['push-time']} />
    </span>
  );
}
