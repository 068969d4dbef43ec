import { describeSchema } from './reference-schema';
import { escapeHtml, prose } from './html';
import type { JsonSchema, OpenApiBody, OpenApiDocument, OpenApiOperation } from './openapi';

type Schemas = Readonly<Record<string, JsonSchema>>;

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Forbids everything that the page does not bring along itself. */
export const REFERENCE_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An OpenAPI document as one HTML page for readers: no script, nothing loaded from elsewhere. */
export function referencePage(document: OpenApiDocument): string {
  const { info, paths, components, servers } = document;
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const title = escapeHtml(info.title);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body>
<nav aria-label="Operations"><ul>${entries.map(link).join('')}</ul></nav>
<main><h1>${title} <small>${escapeHtml(info.version)}</small></h1>${prose(info.description)}
${servers.map(({ url }) => `<p><code>${escapeHtml(url)}</code></p>`).join('')}
<p>For programs: <a href="openapi.json">openapi.json</a>, OpenAPI ${document.openapi}.</p>
${entries.map((entry) => section(entry, components.schemas ?? {})).join('')}
</main></body></html>
`;
}

const heading = ({ method, path }: Entry): string =>
  `<b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code>`;

const link = (entry: Entry): string =>
  `<li><a href="#${escapeHtml(entry.operation.operationId)}">${heading(entry)}</a></li>`;

function section(entry: Entry, schemas: Schemas): string {
  const { operationId, summary, description = '', requestBody, responses } = entry.operation;
  return `<section id="${escapeHtml(operationId)}"><h2>${heading(entry)}</h2>
<p><strong>${escapeHtml(summary)}</strong></p>${prose(description)}${parameters(entry.operation)}
${requestBody ? `<h3>Body</h3>${body(requestBody, schemas)}` : ''}
<h3>Answers</h3>${Object.entries(responses)
    .map(([status, answer]) => answerRow(status, answer, schemas))
    .join('')}</section>`;
}

function parameters({ parameters: all = [] }: OpenApiOperation): string {
  if (all.length === 0) return '';
  const rows = all.map(
    ({ name, in: place, required, description = '' }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${prose(description)}</td></tr>`,
  );
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`;
}

/** Errors are folded: all of them look alike. */
function answerRow(status: string, answer: OpenApiBody, schemas: Schemas): string {
  const isOpen = status.startsWith('2') ? ' open' : '';
  return `<details${isOpen}><summary><b>${status}</b></summary>${body(answer, schemas)}</details>`;
}

function body({ description = '', content = {} }: OpenApiBody, schemas: Schemas): string {
  const forms = Object.entries(content).map(([type, { schema, example }]) => {
    const shown = example === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>`;
    return `<p><code>${escapeHtml(type)}</code></p>${describeSchema(schema, schemas)}${shown}`;
  });
  return `${prose(description)}${forms.join('')}`;
}

const STYLE = `
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1d2330;background:#fff;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 22rem;background:#f5f6f8;font-size:13px}
nav ul{list-style:none;margin:0;padding:1rem}nav a{color:inherit;text-decoration:none;display:block;padding:.15rem 0}
main{padding:1rem 2rem 4rem;max-width:60rem;min-width:0}section{border-top:1px solid #d8dce3;padding-top:1rem}
code,pre{font:13px/1.4 ui-monospace,monospace}code{overflow-wrap:anywhere}pre{background:#f5f6f8;padding:.8rem;overflow:auto}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #e4e7ec;padding:.3rem .6rem .3rem 0;vertical-align:top}
td p{margin:0}.get{color:#0a6b3d}.post{color:#1550b0}.put{color:#8a5a00}.delete{color:#a3171f}
@media(max-width:60rem){body{display:block}nav{position:static;height:auto}main{padding:1rem}}
`;
