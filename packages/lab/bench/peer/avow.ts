import type { ConsentOut } from "@avow/contract/consents";
import { ask } from "../measure/database.ts";
import { fillAvow } from "../measure/fill.ts";
import type { Scenario } from "../measure/load.ts";
import { NAME, type RequestParts, countNames, newRun, repeat } from "../measure/requests.ts";
import type { Site } from "../measure/site.ts";
import { type Kind, type Party, pickSome, toAccepted } from "./party.ts";

/** This service as a party; `connections` is the concurrency of its load. */
export function toAvowParty(given: {
  site: Site;
  databaseUrl: string;
  connections: number;
}): Party {
  const { site, databaseUrl, connections } = given;
  const { projectId, identifier, token } = site;
  const { url } = site.client;
  const tokens: string[] = [];
  const pickToken = (): string => tokens[Math.floor(Math.random() * tokens.length)] ?? "";
  const headers = { "idempotency-key": NAME };
  const at = (path: string): string => `${url}/v1/${path}`;
  const consentsOf = (visitor: string): string => `client/${projectId}/consents/${visitor}`;
  const latestOf = (visitor: string): string =>
    `app/consent/${projectId}?token=${visitor}&service=cookies&identifier=${identifier}`;
  const collect = site.consents.map((json): RequestParts => {
    const path = `app/consents/${projectId}/cookies/${identifier}`;
    return { method: "POST", url: at(path), headers, json };
  });
  const authorization = { authorization: `Bearer ${token}` };
  const requests: Record<Kind, () => [RequestParts[], () => string]> = {
    collect: () => [collect, countNames(newRun())],
    "read by subject": () => [
      [{ method: "GET", url: at(consentsOf(NAME)), headers: authorization }],
      pickToken,
    ],
    check: () => [[{ method: "GET", url: at(latestOf(NAME)) }], pickToken],
  };
  return {
    title: "Avow",
    fill: async (count) => {
      const choices = site.consents.length;
      if (tokens.length % choices !== 0)
        throw new Error("The number of tokens must be a multiple of the number of answers.");
      for (const made of await fillAvow(site, count - tokens.length)) tokens.push(made);
      await ask(databaseUrl, "VACUUM (ANALYZE)");
    },
    count: async () => {
      const statement = "SELECT count(*)::int AS stored FROM consents";
      return (await ask<{ stored: number }>(databaseUrl, statement))[0]?.stored ?? 0;
    },
    assertReadable: async () => {
      const client = site.client.withToken(token);
      for (const n of pickSome(tokens.length)) {
        const visitor = tokens[n] ?? "";
        const consent = site.consents[n % site.consents.length];
        const { history } = await client.send<{ history: ConsentOut[] }>(at(consentsOf(visitor)));
        const latest = await client.send<ConsentOut>(at(latestOf(visitor)));
        for (const read of [history[0], latest])
          if (toAccepted(read?.preferences.vendors) !== toAccepted(consent?.preferences.vendors))
            throw new Error(`Avow returned ${JSON.stringify(read)} for the visitor ${visitor}.`);
      }
    },
    toScenario: (kind): Scenario => {
      const [parts, names] = requests[kind]();
      const status = kind === "collect" ? 201 : 200;
      return { title: `Avow: ${kind}`, url, next: repeat(parts, names), status, connections };
    },
  };
}
