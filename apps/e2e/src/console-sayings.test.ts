import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DESCRIBED_REASONS } from '@pushfleet/domain';
import ts from 'typescript';
import { CHINESE } from './testing/console-words';

const { PROBLEMS } = jest.requireActual<{ PROBLEMS: Readonly<Record<string, { readonly code: number }>> }>(
  '../../console/src/http/problem',
);

const ROOT = join(__dirname, '../../..');
const IS_CHINESE = /[\u3400-\u9fff]/;

/** The text of an expression, with `{}` for what is put in. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function sourceOf(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

function sourcesIn(folder: string): readonly ts.SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^(testing|openapi|web)\//.test(file))
    .map((file) => sourceOf(join(folder, file)));
}

function everyNode(source: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return nodes;
}

/** A name stands for the text of the constant that it is. */
function meant(node: ts.Node, source: ts.SourceFile): readonly string[] {
  const text = textOf(node);
  if (text !== undefined) return [text];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap((one) => meant(one, source));
  if (!ts.isIdentifier(node)) return [];
  const constant = everyNode(source).find(
    (one): one is ts.VariableDeclaration => ts.isVariableDeclaration(one) && one.name.getText() === node.text,
  );
  return constant?.initializer ? meant(constant.initializer, source) : [];
}

/** Part of a sentence, or a command, which is the same in every language. */
const NO_SENTENCE = [
  ...[' and {} others', 'at least ', ', then ', ' --app {}', ' --profile {}', 'ahead of'],
  ...['pushfleet indexes add {} {}', 'pushfleet apps update {} {} off', '{} {}', '; '],
];

/** Everything with words in it that a source writes; the words of a template stand within it. */
const sentencesOf = (source: ts.SourceFile): readonly string[] =>
  everyNode(source).flatMap((node) => {
    if (ts.isImportDeclaration(node.parent ?? node) || ts.isLiteralTypeNode(node.parent ?? node)) return [];
    if (node.parent && textOf(node.parent) !== undefined) return [];
    const text = textOf(node);
    return text !== undefined && /[a-z]{2,} |\s[a-z]{2,}/i.test(text) ? [text] : [];
  });

const isSaid = (text: string): boolean => !NO_SENTENCE.includes(text);

/** With a value for each that is put in, which has to be there in Chinese too. */
function unsaid(sentences: readonly string[]): readonly string[] {
  return [...new Set(sentences)].filter(isSaid).filter((sentence) => {
    const values: string[] = [];
    const text = sentence.replace(/\{\}/g, () => {
      values.push(`<${values.length}>`);
      return values.at(-1) ?? '';
    });
    const told = CHINESE.say(text) ?? '';
    return !IS_CHINESE.test(told) || values.some((value) => !told.includes(value));
  });
}

it('every reason, and what to do about it, has Chinese words', () => {
  expect(unsaid(DESCRIBED_REASONS.flatMap(({ means, remedy }) => [means, remedy]))).toEqual([]);
});

it('every finding of the doctor, and its advice, has Chinese words with all that is put in', () => {
  const found = sourcesIn('apps/console/src/doctor').flatMap(sentencesOf);
  expect(found.length).toBeGreaterThan(100);
  expect(unsaid(found)).toEqual([]);
});

it('every code of an error has Chinese words', () => {
  const codes = Object.values(PROBLEMS).map(({ code }) => code);
  expect(codes.filter((code) => !IS_CHINESE.test(CHINESE.meaningOf(code) ?? ''))).toEqual([]);
});

const PROBLEM = /^(Problem|Unclear|Refusal)$/;

/** What an API call is refused with: the words of a problem, and of each field. */
const refusalsOf = (source: ts.SourceFile): readonly string[] =>
  everyNode(source).flatMap((node) => {
    if (ts.isNewExpression(node) && PROBLEM.test(node.expression.getText()))
      return node.arguments?.[1] ? meant(node.arguments[1], source) : [];
    // What a record tells of one device is a message as well.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') return meant(node.initializer, source);
    return [];
  });

it('whatever the console refuses is said in Chinese', () => {
  const refused = ['apps/console/src', 'packages/domain/src/fate'].flatMap(sourcesIn).flatMap(refusalsOf);
  expect(refused.length).toBeGreaterThan(60);
  expect(unsaid(refused.filter((text) => /[a-z]{2}/i.test(text)))).toEqual([]);
});

it('what is put in stays as it is, and a sentence within one is said in Chinese as well', () => {
  const paused = 'paused since 2026-06-01T00:00:00.000Z: nothing is sent; at least 12 devices wait (pushes: 100)';
  expect(CHINESE.say(paused)).toBe('自 2026-06-01T00:00:00.000Z 起已暂停:不发送任何内容;至少 12 台设备等待(推送:100)');
  expect(CHINESE.say('the vendor refuses it: is required')).toBe('厂商拒绝此凭证:is required');
  expect(CHINESE.say('the column `a` of app b')).toBeUndefined();
});

it('a text of a vendor in which words of many sentences stand is none of them', () => {
  expect(CHINESE.say(`${' since : ; devices wait'.repeat(20_000)}!`)).toBeUndefined();
});
