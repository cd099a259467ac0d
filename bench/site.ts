import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readShop, listAskedVendors } from "../scripts/demo/shop.ts";
import { setUpSite } from "../scripts/demo/setup.ts";
import { createClient } from "../scripts/requests.ts";
import { root } from "../scripts/service.ts";
import type { Scenario } from "./load.ts";

const LIST_LENGTH = 100;

/** What is measured: the scenarios of the service, the first one apart. */
export interface Bench {
  /** A consent as a page sends it: what the bare route validates too. */
  consent: Record<string, unknown>;
  scenarios: Scenario[];
}

/** Publishes the example shop at the service of `url`, and says what to ask of it. */
export async function setUpBench(url: string): Promise<Bench> {
  const client = createClient(url);
  const shop = await readShop(join(root, "examples", "shop.json"));
  const account = { email: "bench@avow.example", password: randomBytes(24).toString("base64url") };
  const { token, projectId, configurations } = await setUpSite(client, shop, account);
  const [cookies] = configurations.cookies;
  if (!cookies) throw new Error("The example shop has no cookie configuration.");
  for (let n = 0; n < LIST_LENGTH; n++)
    await client.withToken(token).send("/v1/vault/media", {
      json: { projectId, title: `Picture ${n}`, url: `https://shop.example/${n}.avif` },
    });

  const vendors = listAskedVendors(cookies).map(({ name }, at) => [name, at % 2 === 0] as const);
  const consent = {
    accept: true,
    preferences: {
      vendors: Object.fromEntries(vendors),
      config: { identifier: cookies.id, name: cookies.name, language: cookies.language },
    },
    language: "en",
    url: `${url}/demo`,
  };
  const json = { username: account.email, password: account.password };
  const read = { method: "GET", token, connections: 16 } as const;
  const collect = {
    url: `${url}/v1/app/consents/${projectId}/cookies/${cookies.id}`,
    method: "POST",
    json: consent,
  } as const;
  return {
    consent,
    scenarios: [
      {
        title: "Sign-in",
        url: `${url}/v1/auth/local/signin`,
        method: "POST",
        json,
        connections: 4,
      },
      { ...read, title: "Vault: one document", url: `${url}/v1/vault/cookies/${cookies.id}` },
      {
        ...read,
        title: `Vault: a list of ${LIST_LENGTH}`,
        url: `${url}/v1/vault/media?projectId=${projectId}`,
      },
      ...[1, 16, 64].map((connections) => ({ ...collect, title: "Consent", connections })),
    ],
  };
}
