import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { service } from "../../harness.ts";
import { publishAndWait, subscribe } from "../../interface/publishing.ts";

type Fields = Record<string, unknown>;

/** A live project of a new user in a paid organization. */
export interface LiveSite {
  projectId: string;
  /** The owner's access token. */
  token: string;
  /** Ids of the configurations, in the given order. */
  cookies: string[];
  processings: string[];
  contracts: string[];
  /** Publishes the current state of the configurations. */
  publish: () => Promise<void>;
}

/** Creates a project and publishes it. */
export async function newLiveSite(given: {
  project?: Fields;
  cookies?: readonly Fields[];
  processings?: readonly Fields[];
  contracts?: readonly Fields[];
  tcf?: Fields;
}): Promise<LiveSite> {
  const { token } = await service.newUser();
  const create = async (resource: string, json: Fields): Promise<string> => {
    const { status, body } = await service.fetch(`/v1/vault/${resource}`, { token, json });
    if (status !== 201) throw new Error(`no ${resource}: ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const organizationId = await create("organizations", { name: "Shops" });
  await subscribe(organizationId, "active");
  const { id: projectId } = await service.newProject(token, { organizationId, ...given.project });
  const createAll = async (resource: string, all: readonly Fields[] = []): Promise<string[]> => {
    const ids: string[] = [];
    for (const fields of all) ids.push(await create(resource, { projectId, ...fields }));
    return ids;
  };
  const cookies = await createAll("cookies", given.cookies);
  const processings = await createAll("processings", given.processings);
  const contracts = await createAll("contracts", given.contracts);
  if (given.tcf) await create("tcf", { projectId, ...given.tcf });
  // Without the publish check, so that tests can show what it would reject, too.
  const publish = async (): Promise<void> => {
    const job = await publishAndWait(token, projectId, { force: true });
    if (job.status !== "Done") throw new Error(job.message);
  };
  await publish();
  return { projectId, token, cookies, processings, contracts, publish };
}

/** Two steps that ask and one that informs: the usual setup of a shop. */
export const shopCookies = {
  name: "shop-en",
  language: "en",
  isDefault: true,
  steps: [
    { name: "welcome", layout: "welcome", title: "Cookies", message: "<p>May <b>we</b>?</p>" },
    {
      name: "analytics",
      layout: "category",
      title: "Analytics",
      vendors: [
        { name: "one", title: "One", policyUrl: "https://one.example/policy" },
        { name: "two", title: "Two", shortDescription: "Measures." },
      ],
      showToggleAllSwitch: true,
    },
    {
      name: "needed",
      layout: "category",
      title: "Needed",
      vendors: [{ name: "shop", title: "Shop", required: true }],
    },
  ],
};

/** A site on its own origin. */
export interface Shop extends AsyncDisposable {
  url: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Serves pages by path: HTML text, or the answer of a function; with a policy when one is given. */
export async function openShop(
  pages: Record<string, string | Answer>,
  policy?: string,
): Promise<Shop> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? "/", "http://shop.example").pathname];
    if (typeof page === "function") {
      void page(request, response);
      return;
    }
    // Browsers request it by themselves.
    if (request.url === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    if (policy !== undefined) response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.statusCode = page === undefined ? 404 : 200;
    response.end(page ?? "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A page of a shop with the widget of `projectId`; `attributes` are those of the script tag. */
export function toPage(
  projectId: string,
  { body = "<h1>Shop</h1>", head = "", attributes = "", lang = "en" } = {},
): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<script src="${service.url}/widget.js" data-project="${projectId}" ${attributes} async></script>
</head><body>${body}</body></html>`;
}
