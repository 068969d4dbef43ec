import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { SESSION } from '../api/session';
import { askAgainMs, Refresher, topicsShown, type Answered } from './refresher';
import { SharedStream } from './shared-stream';

const IsLive = createContext(false);

/** While somebody is signed in and looks, pages learn of changes by a stream of events. */
export function LiveProvider({ isSignedIn, children }: { readonly isSignedIn: boolean; readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const refresher = new Refresher(client);
    const stream = new SharedStream({
      onState(digests) {
        setLive(true);
        refresher.take(digests);
      },
      onBroken: () => setLive(false),
      onRefused: () => void client.invalidateQueries({ queryKey: SESSION }),
    });
    let wanted = '';
    const want = (): void => {
      const topics = document.visibilityState === 'visible' ? topicsShown(client) : [];
      if (topics.join(' ') === wanted) return;
      wanted = topics.join(' ');
      stream.want(topics);
    };
    const forget = client.getQueryCache().subscribe(want);
    document.addEventListener('visibilitychange', want);
    want();
    return () => {
      forget();
      document.removeEventListener('visibilitychange', want);
      stream.close();
      setLive(false);
    };
  }, [client, isSignedIn]);
  return <IsLive value={isLive}>{children}</IsLive>;
}

interface LiveQuery<T> {
  /** As the API names it. */
  readonly topic: string;
  /** The topic, unless it says otherwise. */
  readonly queryKey?: readonly string[];
  /** Where no stream tells of it, it is asked for so often. */
  readonly everyMs: number;
  readonly queryFn: () => Promise<T>;
}

/** Of a query that is asked again when its topic has changed. */
export function useLiveOptions(topic: string, everyMs: number) {
  const isLive = useContext(IsLive);
  const refetchInterval = (query: Answered) => askAgainMs(query, { isLive, everyMs });
  return { meta: { topic }, refetchInterval };
}

/** What the API says now, asked for again when it has changed. */
export function useLive<T>({ topic, queryKey = [topic], everyMs, queryFn }: LiveQuery<T>): UseQueryResult<T> {
  return useQuery({ queryKey, queryFn, ...useLiveOptions(topic, everyMs) });
}
