import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { api, ask, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Confirm } from '../../parts/confirm';
import { useWords } from '../../words/language';

type Push = Schemas['PushRecord'];

const pathTo = (id: string, query: Readonly<Record<string, string>>): string =>
  `/apps/${id}/send?${new URLSearchParams(query).toString()}`;

interface PushProps {
  readonly id: string;
  readonly push: Push;
}

/** What a sender may do about a push. */
export function PushActions({ id, push: { objectId, status, cancelled } }: PushProps) {
  const t = useWords();
  const changed = useChange(['push', id]);
  const params = { path: { id, pushId: objectId } };
  const isOver = status === 'done' || status === 'error' || cancelled === true;
  return (
    <Group gap="xs">
      <Button component={Link} href={pathTo(id, { repeat: objectId })} size="xs" variant="default">
        {t('repeat')}
      </Button>
      {!isOver && (
        <Confirm
          label={t('cancelPush')}
          question={t('cancelPushAsk')}
          color="red"
          onConfirm={() => changed(ask(api.DELETE('/api/v1/apps/{id}/pushes/{pushId}', { params })))}
        />
      )}
    </Group>
  );
}

interface PushAgainProps {
  readonly id: string;
  readonly pushId: string;
  readonly error: Push['errors'][number];
}

/** Leads to where another push to the devices of one reason is looked at before it is sent. */
export function PushAgain({ id, pushId, error: { channel, reason } }: PushAgainProps) {
  const t = useWords();
  return (
    <Button
      component={Link}
      href={pathTo(id, { repeat: pushId, channel, reason })}
      size="compact-xs"
      variant="default"
      aria-label={`${t('again')}: ${channel}, ${reason}`}
    >
      {t('again')}
    </Button>
  );
}
