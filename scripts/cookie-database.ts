// node scripts/run.mjs scripts/cookie-database.ts FILE.csv: derives the scanner's list of cookies from the open cookie
// database (https://github.com/jkwakman/Open-Cookie-Database, Apache-2.0).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";

const PURPOSE_LENGTH_MAX = 240;
const target = join(import.meta.dirname, "../packages/scanner/catalogue/open-cookie-database.json");

const categories: Readonly<Record<string, string>> = {
  Analytics: "analytics",
  Marketing: "advertising",
  Functional: "functional",
  Personalization: "functional",
  Necessary: "necessary",
  Security: "necessary",
};

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Name the CSV file of the open cookie database.");
const rows: Record<string, string>[] = parse(readFileSync(source), { columns: true, bom: true });

const platforms = new Map<string, number>();
const cookies: [number, string, string, string, string][] = [];
const clean = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim();
for (const row of rows) {
  const name = clean(row["Cookie / Data Key name"]);
  const platform = clean(row["Platform"]);
  if (name === "" || platform === "") continue;
  const facts = [
    platform,
    categories[clean(row["Category"])] ?? "functional",
    clean(row["Data Controller"]),
    toUrl(clean(row["User Privacy & GDPR Rights Portals"])),
  ];
  const id = JSON.stringify(facts);
  const number = platforms.get(id) ?? platforms.size;
  platforms.set(id, number);
  cookies.push([
    number,
    row["Wildcard match"] === "1" ? `${name.replace(/\*+$/, "")}*` : name,
    clean(row["Domain"])
      .replace(/\s*\(3rd.*$/i, "")
      .toLowerCase(),
    clean(row["Retention period"]),
    cut(clean(row["Description"])),
  ]);
}

function toUrl(text: string): string {
  return URL.parse(text)?.protocol === "https:" ? text : "";
}

function cut(text: string): string {
  if (text.length <= PURPOSE_LENGTH_MAX) return text;
  return `${text.slice(0, PURPOSE_LENGTH_MAX).replace(/\s+\S*$/, "")}…`;
}

const lines = (all: Iterable<unknown>): string =>
  [...all].map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(",\n");
writeFileSync(
  target,
  `{"source":"Open Cookie Database, https://github.com/jkwakman/Open-Cookie-Database","license":"Apache-2.0",
"platforms":[\n${lines(platforms.keys())}\n],
"cookies":[\n${lines(cookies)}\n]}\n`,
);
process.stdout.write(`${cookies.length} cookies of ${platforms.size} platforms\n`);
