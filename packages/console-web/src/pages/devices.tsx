import { Anchor, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, ask, type Schemas } from '../api/client';
import { Answer } from '../parts/answer';
import { AppTabs } from '../parts/app-tabs';
import { Grid } from '../parts/grid';
import { JsonBlock } from '../parts/json-block';
import { LookUp } from '../parts/look-up';
import { Page, Section } from '../parts/page';
import { TurnButtons, useTurning } from '../parts/turning';
import { useMoment, useWords } from '../words/language';
import { DeviceActions } from './devices/actions';
import { LastPushes } from './devices/last-pushes';
import { Road } from './devices/road';

const PAGE = 50;

export function DevicesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const turning = useTurning(id);
  const { cursor } = turning;
  const params = { path: { id }, query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) } };
  const query = useQuery({
    ...{ queryKey: ['devices', id, cursor], placeholderData: keepPreviousData },
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/installations', { params })),
  });
  return (
    <Page title={t('devices')}>
      <AppTabs id={id} />
      <LookUp label={t('deviceId')} pathOf={(deviceId) => pathOf(id, deviceId)} />
      <Answer query={query}>
        {({ results, cursor: next }) => (
          <Stack>
            <Devices id={id} list={results} />
            <TurnButtons turning={turning} next={next} labels={['newer', 'more']} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

const pathOf = (id: string, device: string): string => `/apps/${id}/devices/${encodeURIComponent(device)}`;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function Devices({ id, list }: { readonly id: string; readonly list: readonly Schemas['Installation'][] }) {
  const t = useWords();
  const moment = useMoment();
  return (
    <Grid
      label={t('devices')}
      head={['objectId', t('type'), t('vendor'), t('updated')]}
      empty={t('noDevices')}
      rows={list.map((device) => ({
        key: device.objectId,
        cells: [
          <Anchor component={Link} href={pathOf(id, device.objectId)} className="mono">
            {device.objectId}
          </Anchor>,
          text(device['deviceType']),
          text(device['vendor']),
          moment(device.updatedAt),
        ],
      }))}
    />
  );
}

export function DevicePage({ id, device }: { readonly id: string; readonly device: string }) {
  const t = useWords();
  const moment = useMoment();
  const params = { path: { id, installationId: device } };
  const query = useQuery({
    queryKey: ['device', id, device],
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/installations/{installationId}', { params })),
  });
  return (
    <Page title={device} actions={<DeviceActions id={id} device={device} />}>
      <AppTabs id={id} />
      <Answer query={query}>
        {({ installation, isRetired }) => (
          <>
            <Section title={t('road')}>
              {isRetired ? <Text>{t('retired')}</Text> : <Road id={id} device={device} />}
              <Text>
                {t('vendor')}: {text(installation['vendor']) || t('none')} · {t('updated')}:{' '}
                {moment(installation.updatedAt)}
              </Text>
            </Section>
            <LastPushes id={id} device={device} />
            <Section title={t('allColumns')}>
              <JsonBlock value={installation} label={t('allColumns')} />
            </Section>
          </>
        )}
      </Answer>
    </Page>
  );
}
