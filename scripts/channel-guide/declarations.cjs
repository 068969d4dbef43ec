const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const ts = require('typescript');

/**
 * Finds what modules declare, by names alone: nothing is type-checked. `packages` names the entry of each package by the
 * name that imports have for it.
 */
function openDeclarations(packages) {
  const parsed = new Map();

  function moduleAt(file) {
    if (!parsed.has(file)) parsed.set(file, readModule(file));
    return parsed.get(file);
  }

  /** The file that an import or export in `from` names; undefined for what is not ours. */
  function fileOf(specifier, from) {
    if (!specifier.startsWith('.')) return packages[specifier];
    const path = join(dirname(from), specifier);
    return [`${path}.ts`, join(path, 'index.ts')].find((one) => existsSync(one));
  }

  /** The declaration that a name stands for in a file; undefined for what is not ours, or is no declaration. */
  function find(name, file) {
    const { declared, passedOn } = moduleAt(file);
    if (declared.has(name)) return { name, file, node: declared.get(name) };
    const source = passedOn.get(name);
    const next = source && fileOf(source.from, file);
    return next && find(source.name, next);
  }

  /** What a file imports from the packages. */
  function importedBy(file) {
    const names = [...moduleAt(file).passedOn].filter(([, { from }]) => Object.hasOwn(packages, from));
    return names.map(([name]) => {
      const found = find(name, file);
      if (!found) throw new Error(`${file} imports ${name}, which is not declared`);
      return found;
    });
  }

  return { find, importedBy };
}

function readModule(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  const [declared, passedOn] = [new Map(), new Map()];
  for (const statement of source.statements) {
    for (const { name, from, as } of namesFrom(statement)) passedOn.set(as, { name, from });
    for (const [name, node] of declaredBy(statement)) declared.set(name, node);
  }
  return { declared, passedOn };
}

/** What `import { a as b } from` and `export { a as b } from` pass on. */
function namesFrom(statement) {
  const from = statement.moduleSpecifier?.text;
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
  if (from === undefined || bindings?.elements === undefined) return [];
  return bindings.elements.map(({ propertyName, name }) => ({
    name: (propertyName ?? name).text,
    from,
    as: name.text,
  }));
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((one) => [one.name.getText(), one]);
  const isNamed = [
    ts.isInterfaceDeclaration,
    ts.isTypeAliasDeclaration,
    ts.isFunctionDeclaration,
    ts.isClassDeclaration,
  ].some((is) => is(statement));
  return isNamed && statement.name ? [[statement.name.text, statement]] : [];
}

module.exports = { openDeclarations };
