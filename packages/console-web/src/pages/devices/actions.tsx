import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api, ask } from '../../api/client';
import { useRights } from '../../api/session';
import { useChange } from '../../api/use-change';
import { Confirm } from '../../parts/confirm';
import { useWords } from '../../words/language';

interface DeviceActionsProps {
  readonly id: string;
  /** By what the address names it. */
  readonly device: string;
  /** Of the installation that is shown: another may be called by the same name by now. */
  readonly objectId: string;
}

/** What may be done about one device. */
export function DeviceActions({ id, device, objectId }: DeviceActionsProps) {
  const t = useWords();
  const { may } = useRights();
  const client = useQueryClient();
  const [, go] = useLocation();
  const changed = useChange(['device', id, device]);
  const params = { path: { id, installationId: objectId } };
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/api/v1/apps/{id}/installations/{installationId}', { params }));
    client.removeQueries({ queryKey: ['device', id, device] });
    await client.invalidateQueries({ queryKey: ['devices', id] });
    go(`/apps/${id}/devices`);
  };
  return (
    <Group gap="xs">
      {may('sender') && (
        <Button
          component={Link}
          href={`/apps/${id}/send?device=${encodeURIComponent(objectId)}`}
          size="xs"
          variant="default"
        >
          {t('sendHere')}
        </Button>
      )}
      {may('operator') && (
        <>
          <Confirm
            label={t('retire')}
            question={t('retireAsk')}
            onConfirm={() =>
              changed(ask(api.POST('/api/v1/apps/{id}/installations/{installationId}/retire', { params })))
            }
          />
          <Confirm label={t('remove')} question={t('removeDeviceAsk')} color="red" onConfirm={remove} />
        </>
      )}
    </Group>
  );
}
