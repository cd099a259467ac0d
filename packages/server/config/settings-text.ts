import { type SettingName, settings } from "./settings.ts";

interface Row {
  name: string;
  shown: string;
  help: string;
}

function listRows(): Row[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const setting = settings[name];
    const shown = "defaultShown" in setting ? setting.defaultShown : setting.default;
    return { name, shown: shown || "none", help: setting.help };
  });
}

/** What `npm start -- --help` prints, set for `width` columns. */
export function settingsHelp(width: number): string {
  const rows = listRows();
  const nameWidth = Math.max(...rows.map((row) => row.name.length)) + 2;
  const shownWidth = Math.max(...rows.map((row) => row.shown.length)) + 2;
  const left = 2 + nameWidth + shownWidth;
  const lines = rows.flatMap((row) => {
    const [first = "", ...more] = wrap(row.help, Math.max(30, width - left));
    const head = `  ${row.name.padEnd(nameWidth)}${row.shown.padEnd(shownWidth)}${first}`;
    return [head, ...more.map((line) => " ".repeat(left) + line)];
  });
  return [
    "Avow: consent management that you host yourself.",
    "",
    "Usage: npm start [-- --help]",
    "",
    "Settings are environment variables, for example: PORT=3000 npm start",
    "",
    `  ${"Variable".padEnd(nameWidth)}${"Default".padEnd(shownWidth)}Meaning`,
    ...lines,
    "",
  ].join("\n");
}

/** The same table for the README, where a test compares it. */
export function settingsMarkdown(): string {
  const lines = listRows().map(({ name, shown, help }) => `| \`${name}\` | ${shown} | ${help} |`);
  return ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...lines].join("\n");
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
