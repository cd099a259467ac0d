import {
  type Dossier,
  headOf,
  toErased,
  listNamedFiles,
  toHolding,
  toLineText,
  toPeriod,
  toReadable,
} from "./package.ts";

/** What a dossier is and how it is checked, as plain text: the index in short. */
export function toReadme(dossier: Dossier): string {
  const { words, project, choice, survey, askedAt, askedBy } = dossier;
  const { facts, check, limits, files } = words;
  const { method } = choice;
  const head = headOf(dossier);
  const title = toLineText(project.title);
  const lines = [
    `${words.title}${words.colon} ${title} (${project.id})`,
    "",
    ...fill(words.lead.join(title)),
    "",
    `${facts.holds}${words.colon} ${toHolding(dossier)}`,
    `${facts.period}${words.colon} ${toPeriod(choice, words)}`,
    ...(method.kind === "sample" ? [`${facts.seed}${words.colon} ${toLineText(method.seed)}`] : []),
    `${facts.askedBy}${words.colon} ${toLineText(askedBy.name)}`,
    `${facts.askedAt}${words.colon} ${toReadable(askedAt, words)}`,
    `${facts.count}${words.colon} ${words.number(choice.ids.length)}`,
    `${facts.pending}${words.colon} ${words.number(survey.pending.size)}`,
    ...toErased(dossier).map((text) => `${facts.erased}${words.colon} ${text}`),
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
      listNamedFiles(dossier).map(([name, what]) => `${name}${words.colon} ${what}`),
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

/** A text in lines of at most 76 characters, where words allow. */
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
