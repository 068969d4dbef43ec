import { type OpenApiDocument } from './openapi';
import { type Answer } from './answer';
import { withCurlExamples, type Placeholders } from './curl-example';
import { type Endpoint } from './edge';
import { paramOf, type HttpRequest } from './http-request';
import { readReferenceFile } from './reference-files';
import { referencePage, referencePolicy } from './reference-page';
import { anybody } from './router';

export interface ReferenceEndpoints {
  /** For programs. */
  readonly document: Endpoint<undefined>;
  /** For readers. */
  readonly page: Endpoint<undefined>;
  /** Scripts and styles of the page, by their `file`, below its address. */
  readonly file: Endpoint<undefined>;
  /** Leads who has nothing but the host to the page. */
  readonly root: Endpoint<undefined>;
}

export interface ReferenceOptions {
  /** Called with the first request for the reference: what makes it of schemas takes longer than all else at a start. */
  readonly document: () => OpenApiDocument;
  /** What stands in examples where a caller puts what proves who it is, by security scheme. */
  readonly credentials: Placeholders;
  /** What a request for a file that the page does not have is refused with. */
  readonly nowhere: (req: HttpRequest) => Error;
}

const PAGE = 'docs';
const DOCUMENT = 'openapi.json';
/** Until the next version of the service, or an hour after it. */
const KEPT = { 'cache-control': 'public, max-age=3600' };
const AS_IT_IS = { 'x-content-type-options': 'nosniff' };

/** The reference of a service, open to everybody: it holds what the documents of the fleet hold. */
export function referenceEndpoints({ document, credentials, nowhere }: ReferenceOptions): ReferenceEndpoints {
  let made: Answers | undefined;
  const answers = (): Answers => (made ??= answersOf(document(), credentials));
  const toPage = { status: 302, body: '', contentType: 'text/plain;charset=utf-8', headers: { location: PAGE } };
  const files = new Map<string, Answer | undefined>();
  const fileAt = (name: string): Answer | undefined => {
    if (name === DOCUMENT) return answers().own;
    if (!files.has(name)) {
      const file = readReferenceFile(name);
      if (!file) return undefined;
      files.set(name, { ...file, status: 200, isConstant: true, headers: { ...AS_IT_IS, ...KEPT } });
    }
    return files.get(name);
  };
  return {
    document: answering(() => answers().document),
    page: answering(() => answers().page),
    root: answering(() => toPage),
    file: {
      route: 'reference',
      admit: anybody,
      async handle({ req }) {
        const found = fileAt(paramOf(req, 'file'));
        if (!found) throw nowhere(req);
        return found;
      },
    },
  };
}

/** What the document decides, made once. */
interface Answers {
  readonly document: Answer;
  readonly page: Answer;
  /** The document with examples, for the page. */
  readonly own: Answer;
}

function answersOf(document: OpenApiDocument, credentials: Placeholders): Answers {
  const json = (about: OpenApiDocument): Answer => ({ status: 200, body: JSON.stringify(about), isConstant: true });
  return {
    document: json(document),
    page: {
      status: 200,
      body: referencePage(document, PAGE),
      contentType: 'text/html;charset=utf-8',
      headers: { ...AS_IT_IS, 'content-security-policy': referencePolicy(document) },
    },
    own: { ...json(withCurlExamples(document, credentials)), headers: { ...AS_IT_IS } },
  };
}

const answering = (answer: () => Answer): Endpoint<undefined> => ({
  route: 'reference',
  admit: anybody,
  handle: async () => answer(),
});
