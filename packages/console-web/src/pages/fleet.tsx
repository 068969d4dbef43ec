import { Text } from '@mantine/core';
import { api, ask, type Schemas } from '../api/client';
import { useLive } from '../live/live';
import { Answer } from '../parts/answer';
import { ChannelName } from '../parts/channel-name';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Moment } from '../parts/moment';
import { Page, Section } from '../parts/page';
import { Said } from '../parts/said';
import { useWords } from '../words/language';
import { Flow } from './fleet/flow';

type Check = Schemas['Doctor']['checks'][number];

const EVERY_MS = 15_000;
/** In every language. */
const REDIS = 'Redis';
const MOODS = { problem: 'bad', warning: 'doubtful', ok: 'good' } as const;
const RANK = { problem: 0, warning: 1, ok: 2 } as const;

/** What the doctor says, how work gets on, and who lives. */
export function FleetPage() {
  const t = useWords();
  const doctor = useLive({ topic: 'doctor', everyMs: EVERY_MS, queryFn: () => ask(api.GET('/api/v1/doctor')) });
  const processes = useLive({
    topic: 'processes',
    everyMs: EVERY_MS,
    queryFn: () => ask(api.GET('/api/v1/processes')),
  });
  return (
    <Page title={t('fleet')}>
      <Answer query={doctor}>{({ checks }) => <Findings checks={checks} />}</Answer>
      <Flow />
      {doctor.data && <Redis checks={doctor.data.checks} />}
      <Section title={t('processes')}>
        <Answer query={processes}>
          {({ results }) => (
            <Grid
              label={t('processes')}
              head={[t('role'), t('channel'), t('version'), t('since')]}
              rows={results.map((process) => ({
                key: process.id,
                cells: [
                  process.role,
                  typeof process['channel'] === 'string' && <ChannelName of={process['channel']} />,
                  process.version,
                  <Moment at={process.since} />,
                ],
              }))}
            />
          )}
        </Answer>
      </Section>
    </Page>
  );
}

/** How full it is: what everything else depends on, whether or not there is a finding. */
function Redis({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <Section title={REDIS}>
      <Checks label={REDIS} list={checks.filter(({ check }) => check === 'redis-memory')} />
    </Section>
  );
}

function Findings({ checks }: { readonly checks: readonly Check[] }) {
  const t = useWords();
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
  const sorted = [...checks].sort((a, b) => RANK[a.status] - RANK[b.status]);
  const found = sorted.filter(({ status }) => status !== 'ok');
  const fine = sorted.filter(({ status }) => status === 'ok');
  const isGood = count('problem') === 0 && count('warning') === 0;
  return (
    <Section
      title={t('findings')}
      actions={
        <Text role="status" fw={600}>
          {isGood ? t('allGood') : `${t('problems')}: ${count('problem')} · ${t('warnings')}: ${count('warning')}`}
        </Text>
      }
    >
      {found.length > 0 && <Checks label={t('findings')} list={found} />}
      <details>
        <summary>
          {t('checksPassed')}: {fine.length}
        </summary>
        <Checks label={t('checksPassed')} list={fine} />
      </details>
    </Section>
  );
}

function Checks({ label, list }: { readonly label: string; readonly list: readonly Check[] }) {
  const t = useWords();
  return (
    <Grid
      label={label}
      head={[t('status'), t('check'), t('subject'), t('finding'), t('advice')]}
      rows={list.map(({ status, check, subject, finding, advice }, i) => ({
        key: `${check} ${subject} ${i}`,
        cells: [
          <Mark key="status" mood={MOODS[status]}>
            {status}
          </Mark>,
          check,
          subject === '' ? '' : <span className="words">{subject}</span>,
          <span className="words">
            <Said text={finding} />
          </span>,
          <span className="words">{advice !== undefined && <Said text={advice} />}</span>,
        ],
      }))}
    />
  );
}
