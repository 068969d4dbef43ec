import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pathOf } from '@pushfleet/http-edge';
import { readWebFiles, type WebFile, type WebFiles } from './web-files';

/** The addresses that are pages; what else there is, is not theirs to answer. */
const PAGE =
  /^\/((sign-in|fleet|channels|apps|apps\/[^/]+(\/(profiles|send|pushes|devices|audience)(\/[^/]+)?)?|users(\/[^/]+)?|audit|settings)\/?)?$/;

/** What browsers are told about everything here: nobody frames it, nothing comes from elsewhere. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ...["img-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; ');

const YEAR_SECONDS = 31_536_000;

/** Serves the pages of the console, and leaves everything else to the API. */
export function serveWeb(folder: string, api: RequestListener): RequestListener {
  let files: WebFiles | undefined;
  return (req, res) => {
    const path = pathOf(req);
    const isPage = PAGE.test(path);
    if ((req.method !== 'GET' && req.method !== 'HEAD') || (!isPage && !path.startsWith('/assets/')))
      return api(req, res);
    // `npm start` builds them beside the first push: they may come while the console runs.
    files ??= readWebFiles(folder);
    if (isPage) return files ? sendPage(req, res, files.page) : sendNotBuilt(req, res);
    const file = files?.assets.get(path);
    if (!file) return api(req, res);
    sendAsset(req, res, file);
  };
}

function sendPage(req: IncomingMessage, res: ServerResponse, page: string): void {
  const nonce = randomBytes(18).toString('base64');
  const html = page
    .replace('<html lang="en">', `<html lang="${languageOf(req)}">`)
    .replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`);
  end(req, res, { body: Buffer.from(html), headers: { ...HTML, 'content-security-policy': policyOf(nonce) } });
}

const HTML = { 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-store', vary: 'accept-language' };

/** The one of the two that stands first; what the address or the reader chooses is the business of the page. */
function languageOf({ headers }: IncomingMessage): 'en' | 'zh-CN' {
  const [, first = 'en'] = /(?:^|[\s,])(zh|en)\b/i.exec(headers['accept-language'] ?? '') ?? [];
  return first.toLowerCase() === 'zh' ? 'zh-CN' : 'en';
}

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<title>pushfleet</title></head><body><p>The pages of the console are not built yet: npm run build. This page looks again by itself.</p>
<p>控制台页面尚未构建：npm run build。本页会自动刷新。</p></body></html>`;

const sendNotBuilt = (req: IncomingMessage, res: ServerResponse): void =>
  end(req, res, {
    ...{ status: 503, body: Buffer.from(NOT_BUILT) },
    headers: { ...HTML, 'retry-after': '3', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" },
  });

function sendAsset(req: IncomingMessage, res: ServerResponse, file: WebFile): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  end(req, res, {
    body: encoding ? file[encoding] : file.plain,
    headers: {
      'content-type': file.type,
      'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      vary: 'accept-encoding',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    },
  });
}

interface Sent {
  readonly status?: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function end(req: IncomingMessage, res: ServerResponse, { status = 200, body, headers }: Sent): void {
  res.writeHead(status, { ...ALWAYS, ...headers, 'content-length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}
