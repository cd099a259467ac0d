// Fills a running service with one of each kind of data, and writes what it answers:
//   node test/faults/upgrade/fill.ts http://127.0.0.1:8080 answers.json
// The data folder and the answers are the fixture of `../upgrade.test.ts`; README.md says how it was made.
import { writeFileSync } from "node:fs";

const POLL_MS = 200;
const LOG_DELAY_MS = 4000;
const [base = "", file = ""] = process.argv.slice(2);
const owner = { email: "owner@example.org", password: "correct horse battery staple" };
let token = "";

async function request(method: string, path: string, body?: unknown): Promise<string> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}

async function post<T = { _id: string }>(path: string, body?: unknown): Promise<T> {
  return JSON.parse(await request("POST", path, body)) as T;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

({ token } = await post<{ token: string }>("/v1/auth/local/signup", owner));
const { _id: project } = await post("/v1/vault/projects", {
  websiteURL: "https://shop.example",
  title: "Boutique Éclair",
  DPO: { organization: "Éclair SARL", address: "1 rue de Paris" },
});
const { _id: cookies } = await post("/v1/vault/cookies", {
  projectId: project,
  title: "Cookies",
  language: "fr",
  steps: [
    { name: "welcome", layout: "welcome", title: "Bonjour", message: "<p>Vos choix</p>" },
    {
      name: "statistics",
      layout: "category",
      title: "Mesure d’audience",
      vendors: [
        { name: "matomo", title: "Matomo", domain: "matomo.org" },
        { name: "analytics", title: "Analytics", domain: "google.com" },
      ],
    },
  ],
});
const { _id: newsletter } = await post("/v1/vault/processings", {
  projectId: project,
  title: "Newsletter",
  purpose: "Sending our monthly newsletter",
  personalDataTypes: ["e-mail address"],
  consentWithdraw: "The link at the end of each mail",
  storageDuration: 36,
});
const { _id: terms } = await post("/v1/vault/contracts", {
  projectId: project,
  title: "Terms",
  file: "https://shop.example/terms.pdf",
});
await post("/v1/webhooks", {
  projectId: project,
  url: "https://hooks.example/avow",
  events: ["consent.created"],
});
const key = await post<{ token: string }>("/v1/auth/tokens", {
  label: "Registry",
  scopes: ["consents:read", "proofs:read"],
});

const { _id: job } = await post(`/v1/publish/jobs/${project}`);
for (let status = ""; status !== "Done"; await pause(POLL_MS)) {
  ({ status } = JSON.parse(await request("GET", `/v1/publish/jobs/${job}`)) as { status: string });
  if (status === "Error") throw new Error("The publication failed.");
}

const consents = `/v1/app/consents/${project}`;
await post(`${consents}/cookies/${cookies}`, {
  token: "visitor-1",
  accept: true,
  preferences: { vendors: { matomo: true, analytics: false } },
});
await post(`${consents}/processings/${newsletter}`, { token: "visitor-1", accept: true });
await post(`${consents}/processings/${newsletter}`, { token: "visitor-1", accept: false });
await post(`${consents}/cookies/${cookies}`, { token: "visiteur-é", accept: false });
await post(`${consents}/contracts/${terms}`, { token: "visitor-1", accept: true });
await post(`${consents}/cookies/${cookies}`, { token: "erased", accept: true });
await request("DELETE", `/v1/app/tokens/${project}/erased`);
await pause(LOG_DELAY_MS);

const records = JSON.parse(await request("GET", consents)) as { consentId: string }[];
const paths = [
  consents,
  `/v1/app/exports/${project}.csv`,
  `/v1/app/erasures/${project}`,
  `/v1/client/${project}/consents/visitor-1`,
  `/cdn/${project}.json`,
  `/v1/vault/projects/${project}`,
  `/v1/vault/cookies/${cookies}`,
  `/v1/vault/contracts/${terms}`,
  `/v1/publish/projects/${project}/versions`,
  "/v1/webhooks",
];
const answers: Record<string, string> = {};
for (const path of paths) answers[path] = await request("GET", path);
const proofs: string[] = [];
for (const { consentId } of records)
  proofs.push(await request("GET", `/v1/app/proofs/${consentId}`));
const checkpoint = await request("GET", "/log/checkpoint");
const result = {
  ...owner,
  key: key.token,
  project,
  cookies,
  newsletter,
  answers,
  proofs,
  checkpoint,
};
writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
