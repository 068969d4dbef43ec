import { Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { errorOf, type Schemas } from '../api/client';
import { writeJson } from '../api/exact-json';
import { given, type SearchProps } from '../api/find-page';
import { AUDIT_WORDS, findEntries, tableOfAudit, type AuditWish } from '../api/find-entries';
import { Answer } from '../parts/answer';
import { bindTexts } from '../parts/bind-texts';
import { TextField } from '../parts/fields';
import { Form } from '../parts/form';
import { FoundFoot } from '../parts/found-foot';
import { Grid } from '../parts/grid';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { useTurning } from '../parts/turning';
import { useKept } from '../parts/use-kept';
import { useWords } from '../words/language';

const wishIn = (params: URLSearchParams): AuditWish =>
  Object.fromEntries(AUDIT_WORDS.map((word) => [word, params.get(word) ?? ''])) as AuditWish;

export function AuditPage() {
  const t = useWords();
  const [params, setParams] = useSearchParams();
  const wish = wishIn(params);
  const turning = useTurning(JSON.stringify(wish));
  const { cursor } = turning;
  const isSearch = AUDIT_WORDS.some((word) => wish[word] !== '');
  const query = useQuery({
    queryKey: ['audit', wish, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findEntries(wish, { cursor, signal }),
  });
  return (
    <Page title={t('audit')}>
      <AuditSearch wish={wish} error={query.error} onWish={(next) => setParams(given(next))} />
      <Answer query={query}>
        {({ results, cursor: next, lookedBackTo }) => (
          <>
            <Entries list={results} empty={t(next === undefined ? 'none' : 'noneSoFar')} />
            <FoundFoot
              {...{ turning, next }}
              looked={isSearch && lookedBackTo !== undefined ? { backTo: lookedBackTo } : undefined}
              href={tableOfAudit(wish)}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}

const LABELS = { by: 'by', action: 'action', app: 'auditApp', from: 'fromDay', to: 'toDay' } as const;

type AuditSearchProps = SearchProps<AuditWish> & { readonly error: unknown };

function AuditSearch({ wish, error, onWish }: AuditSearchProps) {
  const t = useWords();
  const key = JSON.stringify(wish);
  const { form: typed, change: type, forget } = useKept('audit', { of: key, form: wish });
  // Another address is another search, however it was reached.
  const form = typed.of === key ? typed.form : wish;
  const change = (part: Partial<AuditWish>): void => type({ of: key, form: { ...form, ...part } });
  const text = bindTexts(form, change, (path) => errorOf(error)?.at(path));
  const search = (): void => {
    forget();
    onWish(form);
  };
  return (
    <Form onSubmit={search}>
      <Group align="flex-end">
        {AUDIT_WORDS.map((word) => (
          <TextField key={word} label={t(LABELS[word])} {...text(word)} />
        ))}
        <Button type="submit" variant="default">
          {t('search')}
        </Button>
      </Group>
    </Form>
  );
}

interface Entry extends Pick<Schemas['AuditEntry'], 'at' | 'by' | 'from' | 'action' | 'target'> {
  readonly changes?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

interface EntriesProps {
  readonly list: readonly Entry[];
  /** What is said when there are none. */
  readonly empty: string;
}

function Entries({ list, empty }: EntriesProps) {
  const t = useWords();
  return (
    <Grid
      label={t('audit')}
      empty={empty}
      head={[t('at'), t('by'), t('from'), t('action'), t('target'), t('changes')]}
      rows={list.map(({ at, by, from, action, target, changes = {} }, i) => ({
        key: `${at} ${i}`,
        cells: [
          ...[<Moment at={at} />, by, from, action],
          <span className="mono">{target}</span>,
          <span className="mono">
            {Object.entries(changes)
              .map(([field, [before, after]]) => `${field}: ${writeJson(before)} → ${writeJson(after)}`)
              .join(', ')}
          </span>,
        ],
      }))}
    />
  );
}
