import type { Static } from "typebox";
import type { AcceptedOut, TokenConsentsOut } from "../../server/modules/client/schema.ts";
import { toTable } from "../instance/table.ts";
import { printHeading, step } from "./progress.ts";
import type { Site } from "./setup.ts";
import { type Configuration, collections, listAskedVendors, titleOf } from "./shop.ts";
import type { Visited } from "./visitors.ts";

type TokenConsents = Static<typeof TokenConsentsOut>;
type Accepted = Static<typeof AcceptedOut>;
interface List<T> {
  items: T[];
  links: { next?: string };
}

/** An item that can be accepted: a configuration, or one of its vendors (`{configuration}/{vendor}`). */
interface Options {
  identifier: string;
  name: string;
}

/**
 * Reads the collected consents, compares them with the sent ones, and prints them as tables. Returns the
 * link to the proof of the last consent.
 */
export async function showResults(site: Site, visited: readonly Visited[]): Promise<string> {
  const changed = visited.at(-1);
  if (!changed) throw new Error("Nobody visited.");
  const consents = await readConsents(site, changed);
  const accepted = await readAccepted(site);
  assertCollected(consents, accepted, visited);

  printHeading(`${changed.name}’s state (token ${changed.token})`);
  console.log(toStateTable(site, consents));
  printHeading(`${changed.name}’s history, newest first`);
  console.log(toHistoryTable(site, consents));
  printHeading("Tokens that accepted");
  console.log(toAcceptedTable(accepted, visited));
  return consents.history[0]?.receipt.links["proof"] ?? "";
}

function readConsents(site: Site, { name, token }: Visited): Promise<TokenConsents> {
  const path = `/v1/client/${site.projectId}/consents/${encodeURIComponent(token)}`;
  return step(async () => {
    const consents = await site.client.send<TokenConsents>(path);
    const { state, history } = consents;
    return [`Read ${name}’s ${state.length} states and ${history.length} records`, consents];
  });
}

/** The tokens that accept the first configuration of each kind, or the first vendor. */
async function readAccepted(site: Site): Promise<[Options, Accepted[]][]> {
  const { cookies, processings, contracts } = site.configurations;
  const boxes = [processings[0], contracts[0]].filter((box) => box !== undefined);
  const [shown] = cookies;
  const [vendor] = shown ? listAskedVendors(shown) : [];
  const queries: Options[] = [
    ...boxes.map((box) => ({ identifier: box.id, name: titleOf(box) })),
    ...(shown && vendor
      ? [{ identifier: `${shown.id}/${vendor.name}`, name: vendor.title ?? vendor.name }]
      : []),
  ];
  return step(async () => {
    const found: [Options, Accepted[]][] = [];
    for (const one of queries) found.push([one, await listAccepted(site, one.identifier)]);
    const counts = found.map(([, { length }]) => length);
    return [`Listed the tokens that accepted: ${counts.join(", ")}`, found];
  });
}

async function listAccepted(site: Site, identifier: string): Promise<Accepted[]> {
  const items: Accepted[] = [];
  const name = encodeURIComponent(identifier);
  let next: string | undefined = `/v1/client/${site.projectId}/tokens/accepted/${name}`;
  while (next !== undefined) {
    const page: List<Accepted> = await site.client.send(next);
    items.push(...page.items);
    next = page.links.next;
  }
  return items;
}

/** Checks the invariants that hold for any configuration file. */
function assertCollected(
  { state, history }: TokenConsents,
  accepted: readonly [Options, Accepted[]][],
  visited: readonly Visited[],
): void {
  const first = visited[0]?.token;
  const wrong = accepted.find(([, tokens]) => !tokens.some(({ token }) => token === first));
  if (wrong)
    throw new Error(`${visited[0]?.name} is missing among those who accepted ${wrong[0].name}.`);
  if (history.length < 2 || state.every(({ status }) => status !== "accepted"))
    throw new Error("The state or the history read back is not what was sent.");
}

function toStateTable(site: Site, { state }: TokenConsents): string {
  const rows = state.map(({ identifier, name, status, since, version }) => {
    const [id = "", vendor] = identifier.split("/");
    const configuration = findConfiguration(site, id);
    return [
      configuration ? titleOf(configuration) : name,
      vendor === undefined ? "" : name,
      status,
      since === null ? "" : toTime(since),
      version === undefined ? "" : String(version),
    ];
  });
  return toTable(
    [
      { title: "Configuration" },
      { title: "Vendor" },
      { title: "Status" },
      { title: "Since" },
      { title: "Version", align: "right" },
    ],
    rows,
  );
}

function toHistoryTable(site: Site, { history }: TokenConsents): string {
  const rows = history.map(({ createdAt, collection, identifier, accept, preferences, _id }) => {
    const vendors = Object.entries(preferences.vendors ?? {});
    const yes = vendors.filter(([, given]) => given).map(([name]) => name);
    const configuration = findConfiguration(site, identifier);
    return [
      toTime(createdAt),
      configuration ? titleOf(configuration) : collection,
      accept ? "accepted" : "refused",
      vendors.length === 0 ? "" : yes.join(", ") || "none",
      `…${_id.slice(-12)}`,
    ];
  });
  return toTable(
    [
      { title: "When" },
      { title: "Configuration" },
      { title: "Answer" },
      { title: "Vendors accepted" },
      { title: "Record" },
    ],
    rows,
  );
}

function toAcceptedTable(
  accepted: readonly [Options, Accepted[]][],
  visited: readonly Visited[],
): string {
  const rows = accepted.flatMap(([{ name }, tokens]) =>
    tokens.map(({ token, since }, at) => [
      at === 0 ? name : "",
      visited.find((visitor) => visitor.token === token)?.name ?? "",
      token,
      toTime(since),
    ]),
  );
  return toTable(
    [{ title: "Consent" }, { title: "Visitor" }, { title: "Token" }, { title: "Since" }],
    rows,
  );
}

function findConfiguration(site: Site, wanted: string): Configuration | undefined {
  return collections
    .flatMap((collection) => site.configurations[collection])
    .find(({ id }) => id === wanted);
}

/** Time of day in UTC, to the millisecond: the demo takes a second. */
function toTime(instant: string): string {
  return instant.slice(11);
}
