import '@mantine/core/styles.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { watchHands } from './api/activity';
import { api, errorOf } from './api/client';
import { askWhenOthersBegin, leaveWithOthers, SESSION } from './api/session';
import { App } from './app';
import { Addresses } from './parts/address';
import { theme } from './theme';
import { LanguageProvider } from './words/language';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// What keeps the page from scrolling behind a dialog writes a style of its own.
setNonce(nonce);

/** A session that is over is noticed by whatever asks first. */
function askWhoIsThere(error: unknown): void {
  if (errorOf(error)?.status === 401) void client.invalidateQueries({ queryKey: SESSION });
}

/** What may have been done is looked at: the page shows it, or that it is not there. */
function lookAgain(error: unknown): void {
  if (errorOf(error)?.isUnclear !== true) return;
  // What somebody is about to confirm stays as they read it.
  void client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first !== SESSION[0] && first !== 'preflight',
  });
}

/**
 * Whatever the browser believes of its network: a console of this machine is there without one, and what was pressed while the
 * console was away would be done whenever it is back.
 */
const networkMode = 'always';

const PASSING = new Set([0, 408, 429, 502, 503, 504]);

const client: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      // What was refused stays refused; a busy console, or a proxy before it, answers the second time.
      retry: (count, error) => count < 2 && PASSING.has(errorOf(error)?.status ?? -1),
    },
    mutations: { networkMode },
  },
  queryCache: new QueryCache({ onError: askWhoIsThere }),
  mutationCache: new MutationCache({
    onError(error) {
      askWhoIsThere(error);
      lookAgain(error);
    },
  }),
});

const isByHand = watchHands(window);
api.use({
  onRequest({ request }) {
    if (!isByHand()) request.headers.set('x-pushfleet-refresh', 'automatic');
  },
});

leaveWithOthers();
askWhenOthersBegin(client);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <LanguageProvider>
          <Addresses>
            <App />
          </Addresses>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
