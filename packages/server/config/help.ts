import { styleText } from "node:util";
import type { Setting } from "./schema.ts";
import { groups } from "./settings.ts";

const TEXT_WIDTH_MIN = 30;

/** The text of `avow start --help`, set for `width` columns. */
export function toHelp(width: number): string {
  const names = Object.values(groups).flatMap((table) => Object.keys(table));
  const nameWidth = Math.max(...names.map((name) => name.length));
  const indent = " ".repeat(nameWidth + 4);
  const wrapText = (text: string) => wrap(text, Math.max(TEXT_WIDTH_MIN, width - indent.length));
  const toLines = ([name, setting]: [string, Setting]): string[] => {
    const facts = [
      ...(setting.secret ? ["[secret]"] : []),
      `[default: ${toDefault(setting)}]`,
      ...toRequirements(setting).map((text) => `[${text}]`),
    ].join(" ");
    const values = `[values: ${toValues(setting)}]`;
    const together = wrapText(`${facts} ${values}`);
    const details = together.length === 1 ? together : [facts, values].flatMap(wrapText);
    const [first = "", ...more] = [
      ...wrapText(setting.description),
      ...details.map((line) => styleText("dim", line)),
    ];
    return [`  ${name.padEnd(nameWidth)}  ${first}`, ...more.map((line) => indent + line)];
  };
  return [
    "Avow: consent management that you host yourself.",
    "",
    "Usage: avow [start] [--help], or npm start in a checkout",
    "",
    "Settings are environment variables, or lines of avow.env in the working directory.",
    "A secret may be in a file: SECRET_KEY_FILE names the file of SECRET_KEY, and so on.",
    ...listGroups().flatMap(([title, rows]) => [
      "",
      styleText("bold", title),
      ...rows.flatMap(toLines),
    ]),
    "",
  ].join("\n");
}

const intro = `<!-- Written by \`npm run settings\` from packages/server/config; changes belong there. -->

# Settings

All settings of the service. Each is an environment variable, or a line \`NAME=value\` of \`avow.env\` in the working directory; the
environment wins, and an empty value counts as unset. An invalid value stops the start with an error that names the setting.
\`avow start --help\` prints the same list. Secrets are never logged or shown.
A secret may be in a file instead: \`DATABASE_URL_FILE\` names the file of \`DATABASE_URL\`, and so on for every setting marked as secret.
The guides describe how to [store files in S3](../guides/store-files-in-s3.md), [send mail](../guides/send-mail.md) and [secure sign-in](../guides/secure-sign-in.md).
`;

/** The text of docs/reference/settings.md. */
export function toSettingsPage(): string {
  const parts = listGroups().map(([title, rows]) => {
    const lines = rows.map(([name, setting]) => {
      const cells = [
        `\`${name}\`${setting.secret ? " (secret)" : ""}`,
        [toDefault(setting, "`"), ...toRequirements(setting)].join("; "),
        toValues(setting),
        setting.description.replaceAll(/docs\/([\w/-]+\.md)/g, "[$1](../$1)"),
      ];
      return `| ${cells.join(" | ")} |\n`;
    });
    const head = "| Variable | Default | Values | Meaning |\n| --- | --- | --- | --- |\n";
    return `\n## ${title}\n\n${head}${lines.join("").replaceAll("<", "\\<")}`;
  });
  return intro + parts.join("");
}

function listGroups(): [title: string, rows: [name: string, setting: Setting][]][] {
  return Object.entries(groups).map(([title, table]) => [title, Object.entries<Setting>(table)]);
}

function toValues({ kind }: Setting): string {
  return kind.values ?? kind.expected;
}

function toDefault({ kind, default: text, defaultShown }: Setting, quote = ""): string {
  if (defaultShown !== undefined || !text) return defaultShown ?? "none";
  return [quote + text + quote, ...(kind.explain ? [`(${kind.explain(text)})`] : [])].join(" ");
}

function toRequirements({ requiredWith = [] }: Setting): string[] {
  return requiredWith.length === 0 ? [] : [`required with ${requiredWith.join(" or ")}`];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
