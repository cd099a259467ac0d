import type { Client } from "../../instance/requests.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { toCursor } from "../../../server/kernel/page.ts";
import { ask } from "../measure/database.ts";
import type { Form, Project } from "./projects.ts";

/** The default number of items of a page. */
export const PAGE = 100;
const TOKENS_MAX = 5_000;
const HEAVIES_MAX = 4;
const WALK_LIMIT = 1_000;

/** The measured URLs of a project. */
export interface Target {
  title: string;
  project: Project;
  form: Form;
  /** Random tokens. */
  tokens: readonly string[];
  /** Tokens with more records than a page has. */
  heavies: readonly string[];
  /** Pages of lists, with their titles and numbers of items. */
  lists: readonly { title: string; url: string; items: number }[];
}

interface Page {
  items: { token: string }[];
  links: { next?: string };
}

/** Finds the targets of a project; `client` can read it, `at` is an as-of time. */
export async function openTarget(
  client: Client,
  given: { title: string; project: Project; databaseUrl: string; at: Date },
): Promise<Target> {
  const { title, project, databaseUrl, at } = given;
  const [form] = project.forms;
  if (!form) throw new Error("The project has no form.");
  const tokensOf = async (rest: string, values: unknown[]): Promise<string[]> => {
    const statement = `SELECT token FROM consent_states WHERE project_id = $1 ${rest}`;
    const rows = await ask<{ token: string }>(databaseUrl, statement, [project.id, ...values]);
    return rows.map(({ token }) => token);
  };
  const tokens = await tokensOf("ORDER BY random() LIMIT $2", [TOKENS_MAX]);
  const heavies = await tokensOf("AND consents >= $2 ORDER BY consents DESC LIMIT $3", [
    PAGE,
    HEAVIES_MAX,
  ]);
  const { url } = client;
  const accepted = { id: project.id, identifier: `${form.identifier}/${form.vendors[0] ?? ""}` };
  const toTokens = (query: Query) => hrefOf(url, paths.clientTokens, { id: project.id }, query);
  const toAccepted = (query: Query) => hrefOf(url, paths.clientAcceptedItem, accepted, query);
  const toPast = (query: Query) => toAccepted({ at: at.toISOString(), ...query });
  const until = at.toISOString();
  const lists = [
    ...(await openList(client, { title: "tokens", toUrl: toTokens, tokensOf })),
    ...(await openList(client, { title: "accepted", toUrl: toAccepted, tokensOf })),
    ...(await openList(client, {
      title: "accepted half a year ago",
      toUrl: toPast,
      tokensOf,
      until,
    })),
  ];
  return { title, project, form, tokens, heavies, lists };
}

type Query = Record<string, string | number>;

/** The first page of a list, and the page that ends with the last item. */
async function openList(
  client: Client,
  given: {
    title: string;
    toUrl: (query: Query) => string;
    tokensOf: (rest: string, values: unknown[]) => Promise<string[]>;
    /** Later tokens are not in the list. */
    until?: string;
  },
): Promise<Target["lists"]> {
  const { title, toUrl, tokensOf, until = "infinity" } = given;
  const open = async (which: string, query: Query) => {
    const url = toUrl({ limit: PAGE, ...query });
    const { items, links } = await client.send<Page>(url);
    const page = { title: `${title}, ${which} page`, url, items: items.length };
    return { page, next: links.next };
  };
  const first = await open("first", {});
  const after = (token: string): Query => ({ cursor: toCursorAfter(token, first.next) });
  // Moves the start back from the end until more than a page follows.
  for (let back = 4 * PAGE; ; back *= 4) {
    const [from] = await tokensOf("AND first_seen_at < $2 ORDER BY token DESC OFFSET $3 LIMIT 1", [
      until,
      back,
    ]);
    const end = await walk(client, toUrl(from === undefined ? {} : after(from)));
    const before = end.at(-PAGE - 1);
    if (before !== undefined) return [first.page, (await open("last", after(before))).page];
    if (from === undefined) throw new Error(`The list of ${title} is shorter than a page.`);
  }
}

/** Creates a cursor like that of the link to a next page. Its first part is the last token of the previous page. */
function toCursorAfter(token: string, next: string | undefined): string {
  const cursor = next === undefined ? null : new URL(next).searchParams.get("cursor");
  if (cursor === null) throw new Error("A measured list has only one page.");
  const parts = JSON.parse(Buffer.from(cursor, "base64url").toString()) as string[];
  return toCursor([token, ...parts.slice(1)]);
}

/** The tokens of a list, from a URL on. */
async function walk(client: Client, url: string): Promise<string[]> {
  const tokens: string[] = [];
  for (
    let next: string | undefined = `${url}${url.includes("?") ? "&" : "?"}limit=${WALK_LIMIT}`;
    next;
  ) {
    const page: Page = await client.send<Page>(next);
    for (const { token } of page.items) tokens.push(token);
    next = page.links.next;
  }
  return tokens;
}

/** The URL of a token's state and history. */
export function toConsentsUrl(
  base: string,
  given: { projectId: string; token: string; limit: number },
): string {
  const { projectId: id, token, limit } = given;
  return hrefOf(base, paths.clientConsents, { id, token }, { limit });
}
