import { type OpenApiDocument } from './openapi';

/** What the page may load: its own files, and answers of the service that it describes. */
export const referencePolicy = ({ servers }: OpenApiDocument): string =>
  [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
    ["connect-src 'self'", ...servers.flatMap(({ url }) => originOf(url))].join(' '),
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; ');

const originOf = (url: string): readonly string[] => (/^https?:/.test(url) ? [new URL(url).origin] : []);

/** An OpenAPI document for readers, shown by Swagger UI from the files of this package: nothing comes from elsewhere. */
export function referencePage({ info: { title } }: OpenApiDocument, folder: string): string {
  const name = title.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${name}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/swagger-ui.css"><link rel="stylesheet" href="${folder}/page.css">
</head><body><main id="reference" data-document="${folder}/openapi.json"></main>
<noscript><h1>${name}</h1><p>This page needs JavaScript. The same for programs: <a href="${folder}/openapi.json">openapi.json</a>.</p></noscript>
<script src="${folder}/swagger-ui-bundle.js"></script><script src="${folder}/start.js"></script>
</body></html>
`;
}
