import type { ComponentChildren } from "preact";
import type { ScanResult, ScanWithResult } from "@avow/client/operations";
import { toNumber } from "../../browser/format.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { scanWords } from "../../words/scans/words.ts";

const kinds = ["before-consent", "after-refusal", "undeclared", "unseen", "not-answered"] as const;
const tones = {
  "before-consent": "bad",
  "after-refusal": "bad",
  undeclared: "warn",
  unseen: "plain",
  "not-answered": "plain",
} as const;
const EVIDENCE_SHOWN = 6;
const DAY_SECONDS = 86_400;

interface ResultProps {
  result: ScanResult;
}

/** The findings by kind. */
export function Findings({ result: { findings } }: ResultProps) {
  const texts = scanWords.value;
  return (
    <Card title={texts.findings}>
      {findings.length === 0 && <p class="note good">{texts.noFindings}</p>}
      {kinds.map((kind) => {
        const own = findings.filter((one) => one.kind === kind);
        if (own.length === 0) return null;
        if (kind === "not-answered")
          return (
            <p key={kind} class="note">
              {texts.notAnswered}
            </p>
          );
        return (
          <section key={kind}>
            <h3>
              <Badge tone={tones[kind]}>{toNumber(own.length)}</Badge> {texts.kinds[kind]}
            </h3>
            <Table head={[texts.found, texts.evidence]}>
              {own.map((one) => (
                <tr key={`${one.subject} ${one.name} ${one.evidence.join()}`}>
                  <th scope="row">
                    {one.title}
                    <span class="soft kind">{texts.subjects[one.subject]}</span>
                  </th>
                  <td data-label={texts.evidence}>
                    {one.evidence.slice(0, EVIDENCE_SHOWN).join(", ")}
                  </td>
                </tr>
              ))}
            </Table>
          </section>
        );
      })}
    </Card>
  );
}

export function Services({ result: { services } }: ResultProps) {
  const texts = scanWords.value;
  return (
    <Card title={texts.services}>
      {services.length === 0 ? (
        <p class="soft">{texts.noServices}</p>
      ) : (
        <Table head={[texts.service, texts.category, texts.seen, texts.vendor]}>
          {services.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                {one.title}
                <span class="soft kind">{one.provider}</span>
              </th>
              <td data-label={texts.category}>{texts.categories[one.category]}</td>
              <td data-label={texts.seen}>
                {one.phases.map((phase) => texts.phases[phase]).join(", ")}
              </td>
              <td data-label={texts.vendor}>{one.declaredBy ?? "–"}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

interface Row {
  cells: string[];
  phases: string[];
}

/** Cookies and keys of all phases, each once. */
export function Stored({ result: { phases } }: ResultProps) {
  const texts = scanWords.value;
  const rows = new Map<string, Row>();
  for (const { name: phase, cookies, storage } of phases) {
    for (const { name, domain, lifetimeSeconds } of cookies)
      addRow(rows, texts.phases[phase], [name, domain, toLifetime(lifetimeSeconds)]);
    for (const { name, origin, kind } of storage)
      addRow(rows, texts.phases[phase], [name, new URL(origin).host, kind]);
  }
  return (
    <Card title={texts.stored}>
      {rows.size === 0 ? (
        <p class="soft">{texts.noStored}</p>
      ) : (
        <Rows head={[texts.name, texts.place, texts.lifetime]} rows={[...rows.values()]} />
      )}
    </Card>
  );
}

export function Hosts({ result: { phases } }: ResultProps) {
  const texts = scanWords.value;
  const rows = new Map<string, Row>();
  const counts = new Map<string, number>();
  for (const { name: phase, requests } of phases)
    for (const { host, count } of requests) {
      counts.set(host, (counts.get(host) ?? 0) + count);
      addRow(rows, texts.phases[phase], [host]);
    }
  const all = [...rows.values()].map(({ cells: [host = ""], phases: seen }) => ({
    cells: [host, toNumber(counts.get(host) ?? 0)],
    phases: seen,
  }));
  return (
    <Card title={texts.hosts}>
      {all.length === 0 ? (
        <p class="soft">{texts.noHosts}</p>
      ) : (
        <Rows head={[texts.host, texts.requests]} rows={all} />
      )}
    </Card>
  );
}

/** Calls of functions that can recognise a device; nothing if there were none. */
export function Calls({ result: { phases } }: ResultProps) {
  const texts = scanWords.value;
  const rows = new Map<string, Row>();
  for (const { name: phase, fingerprinting } of phases)
    for (const { host, call } of fingerprinting)
      addRow(rows, texts.phases[phase], [host, texts.callNames[call]]);
  if (rows.size === 0) return null;
  return (
    <Card title={texts.calls} lead={texts.callsLead}>
      <Rows head={[texts.host, texts.call]} rows={[...rows.values()]} />
    </Card>
  );
}

export function Details({ scan, result }: ResultProps & { scan: ScanWithResult }) {
  const texts = scanWords.value;
  const pages = result.phases[0]?.pages ?? [];
  const facts: [string, string][] = [
    [texts.pages, toNumber(pages.length)],
    [texts.browser, result.browser],
    [texts.version, scan.version === null ? texts.noVersion : toNumber(scan.version)],
    ...(scan.hash === null ? [] : [[texts.contentHash, scan.hash] as [string, string]]),
    ...(scan.resultHash === null ? [] : [[texts.resultHash, scan.resultHash] as [string, string]]),
    ...(result.limits.length === 0
      ? []
      : [
          [texts.limits, result.limits.map((one) => texts.limitNames[one]).join(", ")] as [
            string,
            string,
          ],
        ]),
    ...(result.blockedHosts.length === 0
      ? []
      : [[texts.blocked, result.blockedHosts.join(", ")] as [string, string]]),
  ];
  return (
    <Card title={texts.details}>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function addRow(rows: Map<string, Row>, phase: string, cells: string[]): void {
  const id = cells.slice(0, 2).join(" ");
  const found = rows.get(id) ?? { cells, phases: [] };
  if (!found.phases.includes(phase)) found.phases.push(phase);
  rows.set(id, found);
}

function Rows({ head, rows }: { head: readonly string[]; rows: readonly Row[] }) {
  const texts = scanWords.value;
  return (
    <Table head={[...head, texts.seen]}>
      {rows.map(({ cells: [first, ...rest], phases }) => (
        <tr key={[first, ...rest].join(" ")}>
          <th scope="row">{first}</th>
          {rest.map((cell, at) => (
            <td key={head[at + 1]} data-label={head[at + 1]}>
              {cell}
            </td>
          ))}
          <td data-label={texts.seen}>{phases.join(", ")}</td>
        </tr>
      ))}
    </Table>
  );
}

function Table({ head, children }: { head: readonly string[]; children: ComponentChildren }) {
  return (
    <table class="stacked">
      <thead>
        <tr>
          {head.map((one) => (
            <th key={one} scope="col">
              {one}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function toLifetime(seconds: number | null): string {
  const texts = scanWords.value;
  return seconds === null ? texts.session : texts.days(toNumber(Math.ceil(seconds / DAY_SECONDS)));
}
