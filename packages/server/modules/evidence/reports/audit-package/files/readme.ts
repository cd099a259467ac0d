import {
  type AuditPackage,
  headOf,
  toErased,
  listNamedFiles,
  describeSelection,
  toLineText,
  toPeriod,
  toReadable,
} from "./package.ts";

/** A short version of the index as plain text: what the package is, and how to verify it. */
export function toReadme(auditPackage: AuditPackage): string {
  const { words, project, selection, survey, requestedAt, requestedBy } = auditPackage;
  const { facts, check, limits, files } = words;
  const { method } = selection;
  const head = headOf(auditPackage);
  const title = toLineText(project.title);
  const lines = [
    `${words.title}${words.colon} ${title} (${project.id})`,
    "",
    ...fill(words.lead.join(title)),
    "",
    `${facts.holds}${words.colon} ${describeSelection(auditPackage)}`,
    `${facts.period}${words.colon} ${toPeriod(selection, words)}`,
    ...(method.kind === "sample" ? [`${facts.seed}${words.colon} ${toLineText(method.seed)}`] : []),
    `${facts.requestedBy}${words.colon} ${toLineText(requestedBy.name)}`,
    `${facts.requestedAt}${words.colon} ${toReadable(requestedAt, words)}`,
    `${facts.count}${words.colon} ${words.number(selection.ids.length)}`,
    `${facts.pending}${words.colon} ${words.number(survey.pending.size)}`,
    ...toErased(auditPackage).map((text) => `${facts.erased}${words.colon} ${text}`),
    `${facts.log}${words.colon} ${head.origin}; ${facts.tree}${words.colon} ${words.number(head.size)}`,
    ...toList(check.title, [
      `${check.key} ${head.keys[0] ?? ""}`,
      check.page,
      `${check.command} avow verify . --key KEY`,
      `${check.sums} sha256sum -c SHA256SUMS`,
      check.kept,
    ]),
    ...toList(limits.title, limits.items),
    ...toList(
      files.title,
      listNamedFiles(auditPackage).map(([name, what]) => `${name}${words.colon} ${what}`),
    ),
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function toList(title: string, items: readonly string[]): string[] {
  const entries = items.flatMap((item) => {
    const [first = "", ...more] = fill(item);
    return [`- ${first}`, ...more.map((line) => `  ${line}`)];
  });
  return ["", title, "-".repeat(title.length), ...entries];
}

const LINE_MAX = 76;

/** Wraps a text at 76 characters; longer words are not split. */
function fill(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
