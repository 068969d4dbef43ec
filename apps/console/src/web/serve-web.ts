import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import {
  acceptedBy,
  anybody,
  pathOf,
  type Answer,
  type Edge,
  type Endpoint,
  type HttpRequest,
} from '@pushfleet/http-edge';
import { ALWAYS, openWebFiles, type WebFiles } from './web-files';

/** The addresses that are pages; what else there is, is not theirs to answer. */
const PAGE =
  /^\/((sign-in|fleet|channels|apps|apps\/[^/]+(\/(profiles|send|pushes|devices|audience)(\/[^/]+)?)?|users(\/[^/]+)?|audit|settings)\/?)?$/;

/** Addresses under which nothing is a page, whoever asks. */
const NO_PAGE = /^\/(api|docs|assets)(\/|$)/;

/** A person mistyped an address: programs do not ask for HTML by its name. */
const isBrowser = ({ headers }: HttpRequest): boolean => acceptedBy(headers.accept).has('text/html');

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ...["img-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; ');

export interface WebPorts {
  /** Where the pages are built. */
  readonly folder: string;
  readonly edge: Edge;
  /** What a request for a file that the pages do not have is refused with. */
  readonly nowhere: (req: HttpRequest) => Error;
  /** What answers everything else. */
  readonly api: RequestListener;
}

/** Serves the pages of the console, and leaves everything else to the API. */
export function serveWeb({ folder, edge, nowhere, api }: WebPorts): RequestListener {
  // `npm start` builds them beside the first push: they may come, or become others, while the console runs.
  const built = openWebFiles(folder);
  const pageOf = (status: number): RequestListener =>
    edge.serve(
      answering((req) => {
        const files = built();
        return files ? { ...pageAnswer(req, files), status } : NOT_BUILT;
      }),
    );
  const [page, noPage] = [pageOf(200), pageOf(404)];
  const asset = edge.serve(
    answering((req) => {
      const file = built()?.assets.get(pathOf(req));
      if (!file) throw nowhere(req);
      return file;
    }),
  );
  return (req, res) => {
    const path = pathOf(req);
    if (req.method !== 'GET' && req.method !== 'HEAD') return api(req, res);
    if (PAGE.test(path)) return page(req, res);
    if (path.startsWith('/assets/')) return asset(req, res);
    return isBrowser(req) && !NO_PAGE.test(path) ? noPage(req, res) : api(req, res);
  };
}

const answering = (answer: (req: HttpRequest) => Answer): Endpoint<undefined> => ({
  route: 'pages',
  admit: anybody,
  handle: async ({ req }) => answer(req),
});

function pageAnswer(req: HttpRequest, { page }: WebFiles): Omit<Answer, 'status'> {
  const nonce = randomBytes(18).toString('base64');
  const body = page
    .replace('<html lang="en">', `<html lang="${languageOf(req)}">`)
    .replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`);
  return { body, ...HTML, headers: { ...HTML.headers, 'content-security-policy': policyOf(nonce) } };
}

const HTML = {
  contentType: 'text/html;charset=utf-8',
  headers: { ...ALWAYS, 'cache-control': 'no-store', vary: 'accept, accept-language' },
} as const;

/** The one of the two that stands first; what the address or the reader chooses is the business of the page. */
function languageOf({ headers }: HttpRequest): 'en' | 'zh-CN' {
  const [, first = 'en'] = /(?:^|[\s,])(zh|en)\b/i.exec(headers['accept-language'] ?? '') ?? [];
  return first.toLowerCase() === 'zh' ? 'zh-CN' : 'en';
}

const NOT_BUILT: Answer = {
  status: 503,
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<title>pushfleet</title></head><body><p>The pages of the console are not built yet: npm run build. This page looks again by itself.</p>
<p>控制台页面尚未构建：npm run build。本页会自动刷新。</p></body></html>`,
  ...HTML,
  headers: {
    ...HTML.headers,
    'retry-after': '3',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
};
