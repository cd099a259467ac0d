import { randomBytes } from "node:crypto";
import { waitFor } from "../lifecycle/process.ts";
import { askJson } from "./http.ts";

/** A project with two configurations that visitors answer. */
export interface Site {
  address: string;
  /** The owner's access token. */
  token: string;
  id: string;
  /** The configurations, by collection. */
  identifiers: { cookies: string; processings: string };
}

/** Signs up a user, creates their project and publishes it. */
export async function openSite(address: string): Promise<Site> {
  const email = `${randomBytes(6).toString("hex")}@example.org`;
  const account = { email, password: "correct horse" };
  const { token } = await askJson<{ token: string }>(`${address}/v1/auth/local/signup`, {
    json: account,
  });
  const make = async (resource: string, json: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${address}/v1/vault/${resource}`;
    return (await askJson<{ _id: string }>(url, { json, headers }))._id;
  };
  const id = await make("projects", {
    websiteURL: "https://shop.example",
    title: "Shop",
    DPO: { organization: "Shop Ltd" },
  });
  const vendors = ["matomo", "chat", "video"].map((name) => ({ name, title: name }));
  const steps = [{ name: "vendors", layout: "category", vendors }];
  const cookies = await make("cookies", { projectId: id, title: "Banner", steps });
  const processings = await make("processings", {
    projectId: id,
    title: "Newsletter",
    purpose: "Send news",
    personalDataTypes: ["email"],
    consentWithdraw: "Write to us",
    storageDuration: 12,
  });
  const site = { address, token, id, identifiers: { cookies, processings } };
  await publish(site);
  return site;
}

/** Publishes the project, and waits until it is live. */
export async function publish({ address, token, id }: Site): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const url = `${address}/v1/publish/jobs/${id}`;
  const { links } = await askJson<{ links: { self: string } }>(url, { headers, json: {} });
  await waitFor("the publication", async () => {
    const { status, message } = await askJson<Record<string, string>>(links.self, { headers });
    if (status === "Error") throw new Error(message);
    return status === "Done" || undefined;
  });
}
