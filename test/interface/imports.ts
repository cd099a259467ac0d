import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ImportOut } from "../../packages/server/modules/consents/imports/schema.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { escapeFormulas, toCsvLine } from "../../packages/server/platform/text/csv.ts";
import { type TestAnswer, service } from "../harness.ts";
import type { Site } from "./site.ts";

const WAIT_MS_MAX = 60_000;

/** Fields of a line; the default is a valid answer to the site's cookie banner. */
export interface LineIn {
  token?: string;
  collection?: string;
  identifier?: string;
  accept?: boolean;
  date?: string;
  value?: unknown;
  preferences?: object;
}

export function toCsv(site: Site, lines: readonly LineIn[]): string {
  const head = "token;collection;identifier;accept;date;value;preferences\r\n";
  const texts = lines.map((line, at) => {
    const { token, collection, identifier, accept, date, value, preferences } = {
      ...validLine(site, at),
      ...line,
    };
    const cells = [token, collection, identifier, accept ? "1" : "0", date];
    return toCsvLine([
      ...cells,
      value === undefined ? "" : escapeFormulas(JSON.stringify(value)),
      preferences ? escapeFormulas(JSON.stringify(preferences)) : "",
    ]);
  });
  return head + texts.join("");
}

export function toNdjson(site: Site, lines: readonly LineIn[]): string {
  return lines
    .map((line, at) => `${JSON.stringify({ ...validLine(site, at), ...line })}\n`)
    .join("");
}

function validLine(
  site: Site,
  at: number,
): Required<Omit<LineIn, "value" | "preferences">> & LineIn {
  const date = new Date(Date.UTC(2025, 3, 4, 5, 6, 7, at)).toISOString();
  return {
    token: `token-${at}`,
    collection: "cookies",
    identifier: site.cookies,
    accept: true,
    date,
  };
}

/** Uploads a file to import. */
export function send(
  site: Pick<Site, "id" | "token">,
  body: string | Uint8Array<ArrayBuffer>,
  {
    query = {},
    headers = {},
  }: { query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  return service.fetch(hrefOf("", paths.imports, { projectId: site.id }, query), {
    token: site.token,
    body,
    method: "POST",
    headers: { "content-type": "text/csv", ...headers },
  });
}

export const ndjson = { headers: { "content-type": "application/x-ndjson" } };

/** Waits for the end of an import. */
export async function waitForEnd(site: Pick<Site, "token">, href: string): Promise<ImportOut> {
  const until = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const { status, body } = await service.fetch(href, { token: site.token });
    assert.equal(status, 200, JSON.stringify(body));
    if (body.status === "Done" || body.status === "Error") return body;
    assert.ok(performance.now() < until, `the import ends: ${JSON.stringify(body)}`);
    await delay(20);
  }
}

/** Imports a file to its end. */
export async function importFile(
  site: Pick<Site, "id" | "token">,
  body: string | Uint8Array<ArrayBuffer>,
  options: Parameters<typeof send>[2] = {},
): Promise<ImportOut> {
  const sent = await send(site, body, options);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  return waitForEnd(site, sent.body.links.self);
}

/** The counts of an import. */
export function countsOf({ status, read, imported, known, refused }: ImportOut) {
  return { status, read, imported, known, refused };
}
