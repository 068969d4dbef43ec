import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { Answer, Failure } from '../../parts/answer';
import { ChannelName } from '../../parts/channel-name';
import { Grid } from '../../parts/grid';
import { lengthOf } from '../../parts/length';
import { Section } from '../../parts/page';
import { useLanguage, useWords } from '../../words/language';
import { speedsOf, withLook } from './speeds';

type Throughput = Schemas['Throughput'];

const LOOK_MS = 5_000;
const BACKLOG_MS = 10_000;

/** How fast each channel is, and how long the first of what it has to do waits. */
export function Flow() {
  const t = useWords();
  // A speed falls while nothing changes: it is asked for, and nobody is told of it.
  const throughput = useQuery({
    queryKey: ['throughput'],
    refetchInterval: LOOK_MS,
    queryFn: () => ask(api.GET('/api/v1/throughput')),
  });
  const backlog = useQuery({
    queryKey: ['backlog'],
    refetchInterval: BACKLOG_MS,
    queryFn: () => ask(api.GET('/api/v1/backlog')),
  });
  const speeds = useSpeeds(throughput.data);
  return (
    <Section title={t('flow')}>
      <Failure error={backlog.error} onRetry={() => void backlog.refetch()} />
      <Answer query={throughput}>
        {({ results }) => <FlowGrid list={results} speeds={speeds} backlogs={backlog.data?.results} />}
      </Answer>
      {backlog.data?.complete === false && <Text c="dimmed">{t('backlogCut')}</Text>}
    </Section>
  );
}

function useSpeeds(look: Throughput | undefined): ReadonlyMap<string, number> | undefined {
  const [looks, setLooks] = useState<readonly Throughput[]>([]);
  useEffect(() => {
    if (look !== undefined) setLooks((before) => withLook(before, look) as readonly Throughput[]);
  }, [look]);
  return speedsOf(looks);
}

interface FlowGridProps {
  readonly list: Throughput['results'];
  readonly speeds: ReadonlyMap<string, number> | undefined;
  readonly backlogs: Schemas['Backlog']['results'] | undefined;
}

function FlowGrid({ list, speeds, backlogs }: FlowGridProps) {
  const { t, language } = useLanguage();
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const speedOf = (channel: string): string => {
    const speed = speeds?.get(channel);
    return speed === undefined ? '…' : number.format(speed);
  };
  return (
    <Grid
      label={t('flow')}
      head={[t('channel'), t('perSecond'), t('oldestWait')]}
      rows={list.map(({ channel }) => ({
        key: channel,
        cells: [
          <ChannelName of={channel} />,
          speedOf(channel),
          backlogs === undefined ? '…' : <Waited since={backlogs.find((one) => one.channel === channel)?.waitsSince} />,
        ],
      }))}
    />
  );
}

/** How long, until now. */
function Waited({ since }: { readonly since: string | undefined }) {
  const { t, language } = useLanguage();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  if (since === undefined) return t('none');
  return lengthOf(Math.max(0, Math.round((now - Date.parse(since)) / 1000)), language);
}
