import type { ConsentIn, ConsentOut } from "@avow/contract/consents";
import { hrefOf, paths } from "@avow/contract/urls";
import { step } from "./progress.ts";
import type { Site } from "./setup.ts";
import { type Collection, type Configuration, listAskedVendors } from "./shop.ts";

/** A visitor of the demo, with the answers of each visit. */
interface Visitor {
  name: string;
  summary: string;
  /** The cookie configuration that the visitor sees. */
  language: "first" | "last";
  visits: readonly {
    cookies: "all" | "first step" | "none";
    processings?: boolean;
    contracts?: boolean;
  }[];
}

const visitors: readonly Visitor[] = [
  {
    name: "Ada",
    summary: "Ada accepts everything",
    language: "first",
    visits: [{ cookies: "all", processings: true, contracts: true }],
  },
  {
    name: "Bruno",
    summary: "Bruno accepts the first step only",
    language: "last",
    visits: [{ cookies: "first step", contracts: true }],
  },
  {
    name: "Chloé",
    summary: "Chloé refuses everything",
    language: "first",
    visits: [{ cookies: "none", processings: false }],
  },
  {
    name: "Dario",
    summary: "Dario accepts everything, then withdraws most of it",
    language: "first",
    visits: [
      { cookies: "all", processings: true },
      { cookies: "first step", processings: false },
    ],
  },
];

/** A past visitor: the token, and the name that the demo gives to it. */
export interface Visited {
  name: string;
  token: string;
}

/** Sends the answers of all visitors like a page: without an account, with a token created at the first answer. */
export async function collectConsents(site: Site): Promise<Visited[]> {
  const visited: Visited[] = [];
  for (const visitor of visitors) {
    visited.push(
      await step(async () => {
        const records = await visit(site, visitor);
        const token = records[0]?.token ?? "";
        return [`${visitor.summary}: ${records.length} records`, { name: visitor.name, token }];
      }),
    );
  }
  return visited;
}

/** A link to a visitor's own page. */
export async function openPersonPage({ client, projectId }: Site, token: string): Promise<string> {
  const json = { token };
  const link = await client.send<{ url: string }>(`/v1/client/${projectId}/links`, { json });
  return link.url;
}

async function visit(site: Site, visitor: Visitor): Promise<ConsentOut[]> {
  const records: ConsentOut[] = [];
  const { projectId } = site;
  const client = site.client.withToken(undefined);
  const answer = async (
    collection: Collection,
    { id, language, steps }: Configuration,
    given: Pick<ConsentIn, "accept" | "preferences">,
  ): Promise<void> => {
    const token = records[0]?.token;
    // Requests a display ticket like a page, so that the display is counted and the consent is ticketed.
    const shown = { identifier: id, step: steps?.[0]?.name ?? "" };
    const url = hrefOf("", paths.tickets, { projectId }, shown);
    const { ticket } = await client.send<{ ticket: string }>(url, { method: "POST" });
    const json = {
      ...given,
      ...(language === undefined ? {} : { language }),
      ...(token === undefined ? {} : { token }),
      url: `${client.url}/demo`,
      ticket,
    };
    const path = `/v1/app/consents/${projectId}/${collection}/${id}`;
    records.push(await client.send<ConsentOut>(path, { json }));
  };
  for (const { cookies, ...boxes } of visitor.visits) {
    const shown = site.configurations.cookies.at(visitor.language === "first" ? 0 : -1);
    if (shown) await answer("cookies", shown, toCookieAnswer(shown, cookies));
    for (const collection of ["processings", "contracts"] as const) {
      const accept = boxes[collection];
      if (accept === undefined) continue;
      for (const box of site.configurations[collection])
        if (box.language === undefined || box.language === shown?.language)
          await answer(collection, box, { accept });
    }
  }
  return records;
}

function toCookieAnswer(
  configuration: Configuration,
  choice: Visitor["visits"][number]["cookies"],
): Pick<ConsentIn, "accept" | "preferences"> {
  const listed = listAskedVendors(configuration);
  const isAccepted = (stepName: string): boolean =>
    choice === "all" || (choice === "first step" && stepName === listed[0]?.step);
  const vendors = Object.fromEntries(listed.map(({ name, step: of }) => [name, isAccepted(of)]));
  const { id: identifier, name = "", language = "" } = configuration;
  const accept = Object.values(vendors).some(Boolean);
  return { accept, preferences: { vendors, config: { identifier, name, language } } };
}
