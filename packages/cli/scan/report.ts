import type { Finding, Phase, ScanResult } from "@avow/scanner/result";

const titles: Record<Finding["kind"], string> = {
  "before-consent": "Ran before consent",
  "after-refusal": "Ran after refusal",
  undeclared: "Declared by no vendor",
  unseen: "Declared, but not seen after acceptance",
  "not-answered": "Not tested",
};
const phaseTitles: Record<Phase["name"], string> = {
  unanswered: "no answer",
  refused: "refused",
  accepted: "accepted",
};
const EVIDENCE_SHOWN = 4;
const MIB = 1_024 * 1_024;

/** Whether something ran before consent or after refusal. */
export function hasBreach({ findings }: ScanResult): boolean {
  return findings.some(({ kind }) => kind === "before-consent" || kind === "after-refusal");
}

/** Prints tables for people. */
export function printResult(result: ScanResult): void {
  const lines = [
    `${result.url}, ${result.phases[0]?.pages.length ?? 0} pages, ${(result.bytes / MIB).toFixed(1)} MiB, ${result.browser}`,
    ...listPages(result),
    ...listServices(result),
    ...listCookies(result),
    ...listCalls(result),
    ...listFindings(result),
    ...listVendors(result),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

function listPages({ phases, limits, blockedHosts }: ScanResult): string[] {
  const failed = (phases[0]?.pages ?? []).filter(({ status }) => status === null);
  return [
    ...phases.map(
      ({ name, answeredBy, pages, requests, cookies }) =>
        `  ${phaseTitles[name].padEnd(10)} ${pages.length} pages, ${new Set(requests.map(({ host }) => host)).size} other hosts, ${cookies.length} cookies${answeredBy === null ? "" : `, answered through ${answeredBy}`}`,
    ),
    ...failed.map(({ url, error = "" }) => `  not loaded: ${url} ${error}`),
    ...(limits.length > 0 ? [`  limited by: ${limits.join(", ")}`] : []),
    ...(blockedHosts.length > 0 ? [`  private, not contacted: ${blockedHosts.join(", ")}`] : []),
  ];
}

function listServices({ services }: ScanResult): string[] {
  if (services.length === 0) return [];
  return [
    "",
    "Services",
    ...toTable(
      services.map(({ title, category, phases, hosts, cookies, storage }) => [
        title,
        category,
        phases.map((phase) => phaseTitles[phase]).join(", "),
        [...hosts, ...cookies, ...storage].slice(0, EVIDENCE_SHOWN).join(", "),
      ]),
    ),
  ];
}

function listCookies({ phases }: ScanResult): string[] {
  const rows = new Map<string, { row: string[]; seen: string[] }>();
  for (const { name: phase, cookies, storage } of phases) {
    const all = [
      ...cookies.map(({ name, domain, lifetimeSeconds }) => [
        name,
        domain,
        lifetimeSeconds === null ? "session" : `${Math.ceil(lifetimeSeconds / 86_400)} days`,
      ]),
      ...storage.map(({ name, origin, kind }) => [name, new URL(origin).host, kind]),
    ];
    for (const row of all) {
      const found = rows.get(row.join(" "));
      if (found) found.seen.push(phaseTitles[phase]);
      else rows.set(row.join(" "), { row, seen: [phaseTitles[phase]] });
    }
  }
  if (rows.size === 0) return [];
  return [
    "",
    "Cookies and storage",
    ...toTable([...rows.values()].map(({ row, seen }) => [...row, seen.join(", ")])),
  ];
}

function listCalls({ phases }: ScanResult): string[] {
  const rows = phases.flatMap(({ name, fingerprinting }) =>
    fingerprinting.map(({ host, call, count }) => [host, call, String(count), phaseTitles[name]]),
  );
  return rows.length === 0 ? [] : ["", "Calls that can recognise a device", ...toTable(rows)];
}

function listFindings({ findings }: ScanResult): string[] {
  return Object.entries(titles).flatMap(([kind, title]) => {
    const found = findings.filter((one) => one.kind === kind);
    if (found.length === 0) return [];
    if (kind === "not-answered")
      return ["", "Not tested: the site has no consent tool that can be answered from a script."];
    return [
      "",
      title,
      ...toTable(
        found.map((one) => [
          one.title,
          one.subject,
          one.evidence.slice(0, EVIDENCE_SHOWN).join(", "),
        ]),
      ),
    ];
  });
}

function listVendors({ vendors }: ScanResult): string[] {
  if (vendors.length === 0) return [];
  return [
    "",
    `Vendors to declare: ${vendors.map(({ en }) => en.name).join(", ")}. Their texts: --json.`,
  ];
}

const CELL_WIDTH_MAX = 44;

/** Aligns columns; the last one has any width. Control characters of the site never reach the terminal. */
function toTable(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, "?")));
  const widths = (clean[0] ?? []).map((_, column) =>
    Math.min(CELL_WIDTH_MAX, Math.max(...clean.map((row) => row[column]?.length ?? 0))),
  );
  return clean.map((row) =>
    `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.slice(0, CELL_WIDTH_MAX).padEnd(widths[column] ?? 0))).join("  ")}`.trimEnd(),
  );
}
