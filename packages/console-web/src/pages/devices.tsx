import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { given } from '../api/find-page';
import { Answer, Failure } from '../parts/answer';
import { Grid, type ListProps } from '../parts/grid';
import { JsonBlock } from '../parts/json-block';
import { LookUp } from '../parts/look-up';
import { Moment } from '../parts/moment';
import { Section } from '../parts/page';
import { PageOfApp } from '../parts/page-of-app';
import { TurnButtons, useTurning } from '../parts/turning';
import { useMoment, useNumber, useWords } from '../words/language';
import { DeviceActions } from './devices/actions';
import { LastPushes } from './devices/last-pushes';
import { Road } from './devices/road';
import { DeviceSearch } from './devices/search';
import { useDeviceSearch, type DeviceSearching } from './devices/use-search';

const PAGE = 50;

export function DevicesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const [params, setParams] = useSearchParams();
  const where = params.get('where') ?? '';
  const searching = useDeviceSearch(id, where);
  return (
    <PageOfApp id={id} title={t('devices')}>
      <LookUp label={t('deviceId')} keepAs={`device of ${id}`} pathOf={(deviceId) => pathOf(id, deviceId)} />
      <DeviceSearch
        id={id}
        where={where}
        error={errorOf(searching.error)?.at('where')}
        onWhere={(next) => setParams(given({ where: next }))}
      />
      {where === '' ? <AllDevices id={id} /> : <FoundDevices id={id} searching={searching} />}
    </PageOfApp>
  );
}

function AllDevices({ id }: { readonly id: string }) {
  const t = useWords();
  const turning = useTurning(id);
  const { cursor } = turning;
  const params = { path: { id }, query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) } };
  const query = useQuery({
    queryKey: ['devices', id, cursor],
    placeholderData: keepPreviousData,
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/installations', { params })),
  });
  return (
    <Answer query={query}>
      {({ results, cursor: next }) => (
        <Stack>
          <Devices id={id} list={results} empty={t('noDevices')} />
          <TurnButtons turning={turning} next={next} labels={['newer', 'more']} />
        </Stack>
      )}
    </Answer>
  );
}

function FoundDevices({ id, searching }: { readonly id: string; readonly searching: DeviceSearching }) {
  const t = useWords();
  const number = useNumber();
  const { found, lookedAt, total, error, isRunning, isDone, stop, goOn } = searching;
  return (
    <Stack align="stretch">
      <Failure error={error} />
      <Group>
        <Text role="status">
          {`${t('lookedAt')}: ${number(lookedAt)} / ${number(total)} ${t('devicesOf')}${isRunning ? ' …' : ''}`}
        </Text>
        {isRunning && (
          <Button size="xs" variant="default" onClick={stop}>
            {t('stop')}
          </Button>
        )}
      </Group>
      <Devices id={id} list={found} empty={t(isDone ? 'noSuchDevices' : 'noneSoFar')} />
      {!isRunning && !isDone && (
        <div>
          <Button size="xs" variant="default" onClick={goOn}>
            {t('goOn')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

const pathOf = (id: string, device: string): string => `/apps/${id}/devices/${encodeURIComponent(device)}`;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function Devices({ id, list, empty }: ListProps<Schemas['Installation']>) {
  const t = useWords();
  return (
    <Grid
      label={t('devices')}
      head={['objectId', t('type'), t('vendor'), t('updated')]}
      empty={empty}
      rows={list.map((device) => ({
        key: device.objectId,
        cells: [
          <Anchor component={Link} href={pathOf(id, device.objectId)} className="mono">
            {device.objectId}
          </Anchor>,
          text(device['deviceType']),
          text(device['vendor']),
          <Moment at={device.updatedAt} />,
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
  const objectId = query.data?.installation.objectId;
  return (
    <PageOfApp
      id={id}
      title={device}
      actions={objectId !== undefined && <DeviceActions {...{ id, device, objectId }} />}
    >
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
    </PageOfApp>
  );
}
