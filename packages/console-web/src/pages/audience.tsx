import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../api/client';
import { Answer, Failure } from '../parts/answer';
import { ChannelName } from '../parts/channel-name';
import { TextField } from '../parts/fields';
import { Form } from '../parts/form';
import { Grid } from '../parts/grid';
import { Section } from '../parts/page';
import { PageOfApp } from '../parts/page-of-app';
import { ReasonWords } from '../parts/reason-words';
import { useKept } from '../parts/use-kept';
import { useLanguage, useNumber, useWords } from '../words/language';
import { OTHERS } from './audience/sums';
import { useCensus, type Counted } from './audience/use-census';

/** Whom a push reaches is known at once; what the devices are has to be read. */
export function AudiencePage({ id }: { readonly id: string }) {
  const t = useWords();
  const number = useNumber();
  const query = useQuery({
    queryKey: ['reach', id],
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/reach', { params: { path: { id } } })),
  });
  return (
    <PageOfApp id={id} title={t('audience')}>
      <Answer query={query}>
        {({ reachable, results }) => (
          <Section
            title={t('reachNow')}
            actions={<Text role="status" fw={600}>{`${t('reached')}: ${number(reachable)}`}</Text>}
          >
            <Grid
              label={t('reachNow')}
              head={[t('channel'), t('profileName'), t('count'), t('reason')]}
              empty={t('noDevices')}
              rows={results.map(({ channel, profile = '', reason, count }) => ({
                key: `${channel} ${profile} ${reason}`,
                cells: [
                  <ChannelName of={channel} />,
                  profile,
                  count,
                  reason === undefined ? t('reached') : <ReasonWords reason={reason} />,
                ],
              }))}
            />
          </Section>
        )}
      </Answer>
      <Census id={id} />
    </PageOfApp>
  );
}

function Census({ id }: { readonly id: string }) {
  const t = useWords();
  const { form, change } = useKept(`census of ${id}`, { column: 'appVersion' });
  const { counted, error, isRunning, start, stop } = useCensus(id);
  return (
    <Section title={t('census')}>
      <Form onSubmit={() => void start(form.column.trim())}>
        <Stack align="flex-start">
          <Text>{t('censusHelp')}</Text>
          <Group align="flex-end">
            <TextField
              label={t('censusColumn')}
              value={form.column}
              onChange={(column) => change({ column })}
              disabled={isRunning}
            />
            {/* Each its own: the second of two quick clicks would stop what the first began. */}
            <Button type="submit" variant="default" disabled={isRunning}>
              {t('countIt')}
            </Button>
            {isRunning && (
              <Button variant="default" onClick={stop}>
                {t('stop')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
      <Failure error={error} />
      {counted && <Found counted={counted} />}
    </Section>
  );
}

function Found({ counted }: { readonly counted: Counted }) {
  const { t, language } = useLanguage();
  const number = useNumber();
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const { lookedAt, total, isDone, column } = counted;
  return (
    <Stack>
      <Progress value={isDone ? 100 : (100 * lookedAt) / Math.max(1, total)} aria-label={t('census')} />
      <Text role="status">{`${number(lookedAt)} / ${number(total)} ${t('devicesOf')}${isDone ? '' : ' …'}`}</Text>
      <Grid
        label={t('vendor')}
        head={[t('vendor'), t('count'), t('reason')]}
        rows={[...counted.reach.values()].map(({ vendor, reason, profile, count }) => ({
          key: `${vendor} ${reason} ${profile}`,
          cells: [
            vendor === OTHERS ? t('others') : vendor,
            count,
            reason === undefined ? t('reached') : <ReasonWords reason={reason} of={profile} />,
          ],
        }))}
      />
      <Counts label={t('profileName')} counts={counted.profiles} />
      <Counts label={column} counts={counted.values} />
      <Counts
        label={t('seenWithin')}
        counts={counted.seen}
        wordFor={(age) => (age === 'older' ? t('older90') : `< ${days.format(Number(age))}`)}
      />
    </Stack>
  );
}

interface CountsProps {
  readonly label: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly wordFor?: (name: string) => string;
}

function Counts({ label, counts, wordFor = (name) => name }: CountsProps) {
  const t = useWords();
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <Grid
      label={label}
      head={[label, t('count')]}
      rows={rows.map(([name, count]) => ({
        key: name,
        cells: [<span className="words">{name === OTHERS ? t('others') : wordFor(name)}</span>, count],
      }))}
    />
  );
}
