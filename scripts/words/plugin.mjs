// A plugin of oxlint: comments, texts and names in the words of docs/glossary.md.
import {
  findBreachesOfName,
  findBreachesOfTestName,
  findBreachesOfText,
  findBreachesOfType,
} from "./rules.mjs";

const TESTS = new Set(["test", "it", "describe"]);

const words = {
  create(context) {
    const report = (node, messages) => {
      for (const message of messages) context.report({ node, message });
    };
    const seen = new Set();
    const onType = (node) => report(node.id, findBreachesOfType(node.id.name));
    return {
      Program() {
        for (const { text, node } of joinComments(context.sourceCode.getAllComments()))
          report(node, findBreachesOfText(text));
      },
      Identifier(node) {
        if (seen.has(node.name)) return;
        seen.add(node.name);
        report(node, findBreachesOfName(node.name));
      },
      CallExpression({ callee, arguments: [name] }) {
        if (
          callee.type === "Identifier" &&
          TESTS.has(callee.name) &&
          typeof name?.value === "string"
        )
          report(name, findBreachesOfTestName(name.value));
      },
      Literal(node) {
        const { parent } = node;
        if (parent.type === "CallExpression" && TESTS.has(parent.callee.name)) return;
        if (typeof node.value === "string" && node.value.includes(" "))
          report(node, findBreachesOfText(node.value));
      },
      TemplateElement(node) {
        const text = node.value.cooked ?? "";
        if (text.trim().includes(" ")) report(node, findBreachesOfText(text));
      },
      JSXText(node) {
        report(node, findBreachesOfText(node.value));
      },
      TSInterfaceDeclaration: onType,
      TSTypeAliasDeclaration: onType,
    };
  },
};

/** Line comments on lines that follow each other are one text. */
function* joinComments(comments) {
  let open;
  for (const node of comments) {
    const text = node.value
      .replace(/^\s*\*+ ?/gm, "")
      .replace(/^\s*@\w+( \{[^}]*\})?/gm, "")
      .trim();
    const follows =
      open &&
      node.type === "Line" &&
      open.last.type === "Line" &&
      node.loc.start.line === open.last.loc.start.line + 1;
    if (follows) open = { ...open, text: `${open.text}\n${text}`, last: node };
    else {
      if (open) yield open;
      open = { text, node, last: node };
    }
  }
  if (open) yield open;
}

export default { meta: { name: "avow" }, rules: { words } };
