const ts = require('typescript');

/** A constant of more text than this is named and not printed. */
const MAX_CONSTANT = 320;

/** A declaration as a reader needs it: no bodies, nothing private, its comment above it. */
function printed(node) {
  const lines = [commentOf(node), bodyOf(node)].filter((part) => part !== '');
  return lines.join('\n').replaceAll(/\b(export|async|readonly|private) /g, '');
}

function bodyOf(node) {
  if (ts.isVariableDeclaration(node)) return constantOf(node);
  if (ts.isFunctionDeclaration(node)) return `${before(node, node.body)};`;
  return ts.isClassDeclaration(node) ? classOf(node) : node.getText();
}

/** The text of a declaration as far as its body. */
const before = (node, body) =>
  node
    .getText()
    .slice(0, body ? body.getStart() - node.getStart() : undefined)
    .trim();

function constantOf(node) {
  const { name, initializer, type } = node;
  if (type) return `const ${name.getText()}: ${type.getText()};`;
  if (initializer && ts.isArrowFunction(initializer))
    return `const ${name.getText()} = ${before(initializer, initializer.body)} …;`;
  const whole = `const ${node.getText()};`;
  if (whole.length <= MAX_CONSTANT) return whole;
  return `const ${name.getText()}${fieldsOf(initializer)};`;
}

/** The names in an object whose values are too long to print. */
function fieldsOf(initializer) {
  if (!ts.isObjectLiteralExpression(initializer)) return '';
  return ` = { ${initializer.properties.map(({ name }) => `${name.getText()}: …`).join(', ')} }`;
}

const isPrivate = (member) =>
  ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;

function classOf(node) {
  const members = node.members
    .filter((member) => !isPrivate(member))
    .map((member) => `  ${[commentOf(member), memberOf(member)].filter((part) => part !== '').join('\n  ')}`);
  const heritage = node.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  return [`class ${node.name.text}${parametersOf(node)}${heritage} {`, ...members, '}'].join('\n');
}

const parametersOf = ({ typeParameters }) =>
  typeParameters ? `<${typeParameters.map((one) => one.getText()).join(', ')}>` : '';

const memberOf = (member) => (member.body ? `${before(member, member.body)};` : member.getText());

/** What stands above it in `/** … *\/`. */
function commentOf(node) {
  const owner = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return owner.jsDoc?.map((comment) => comment.getText()).join('\n') ?? '';
}

/** The names of types that its printed text mentions. */
function mentions(node) {
  const names = new Set();
  const visit = (part) => {
    if (ts.isBlock(part) || part === node.initializer?.body || isHidden(part)) return;
    if (ts.isTypeReferenceNode(part)) names.add(part.typeName.getText());
    if (ts.isTypeQueryNode(part)) names.add(part.exprName.getText());
    if (ts.isExpressionWithTypeArguments(part)) names.add(part.expression.getText());
    ts.forEachChild(part, visit);
  };
  visit(node);
  return [...names];
}

const isHidden = (part) => ts.isClassElement(part) && isPrivate(part);

module.exports = { mentions, printed };
