import { readObjects } from "@avow/contract/json";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Shop, listAskedVendors, readShop } from "../../demo/shop.ts";
import { setUpSite } from "../../demo/setup.ts";
import { type Client, createClient } from "../../instance/requests.ts";
import { root } from "../../instance/service.ts";

/** Vendors added to the example shop, so that it has six to answer. */
const moreVendors = [
  { name: "youtube", title: "YouTube", type: "social" },
  { name: "linkedin", title: "LinkedIn", type: "social" },
];
/** Subsets of the vendors that some visitors accept. */
const choices: readonly ((at: number) => boolean)[] = [
  () => true,
  (at) => at % 2 === 0,
  (at) => at < 3,
  () => false,
];

/** A consent as a page sends it. */
export interface Consent {
  accept: boolean;
  preferences: { vendors: Record<string, boolean>; config: Record<string, string> };
  language: string;
  url: string;
}

/** The example shop, published on a service. */
export interface Site {
  client: Client;
  account: { email: string; password: string };
  token: string;
  projectId: string;
  /** The identifier of the answered cookie configuration. */
  identifier: string;
  /** Consents that visitors send, with different answers. */
  consents: readonly Consent[];
}

/** Publishes the example shop with six vendors on the service at `url`. */
export async function setUpShop(url: string): Promise<Site> {
  const client = createClient(url);
  const shop = await readBenchShop();
  const account = { email: "bench@avow.example", password: randomBytes(24).toString("base64url") };
  const published = await setUpSite(client, shop, account);
  const { token, projectId, configurations } = published;
  const [cookies] = configurations.cookies;
  if (!cookies) throw new Error("The example shop has no cookie configuration.");
  const { id: identifier, name = "", language = "en" } = cookies;
  const slugs = listAskedVendors(cookies).map((vendor) => vendor.name);
  const consents = choices.map((isAccepted) => {
    const vendors = Object.fromEntries(slugs.map((slug, at) => [slug, isAccepted(at)]));
    const config = { identifier, name, language };
    const accept = Object.values(vendors).some(Boolean);
    return { accept, preferences: { vendors, config }, language, url: `${url}/demo` };
  });
  return { client, account, token, projectId, identifier, consents };
}

/** The example shop with six vendors. */
export async function readBenchShop(): Promise<Shop> {
  return withMoreVendors(await readShop(join(root, "examples", "shop.json")));
}

function withMoreVendors(shop: Shop): Shop {
  const cookies = shop.cookies.map((configuration) => {
    const steps = readObjects(configuration["steps"]);
    const like = steps.findLast(({ vendors }) => Array.isArray(vendors));
    const step = { ...like, name: "social", title: "Films and posts", vendors: moreVendors };
    return { ...configuration, steps: [...steps, step] };
  });
  return { ...shop, cookies };
}
