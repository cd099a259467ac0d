import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { runAvow } from "../command.ts";
import { ada } from "./lifecycle/checks.ts";
import { openDataFolder, waitFor } from "./lifecycle/process.ts";
import { makeProject, send } from "./requests.ts";

export interface Job {
  id: string;
  status: string;
  version?: number;
}

export interface Site {
  address: string;
  token: string;
  projectId: string;
  cookies: string;
}

export async function openSite(address: string): Promise<Site> {
  const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
    json: { email: ada.username, password: ada.password },
  });
  const projectId = await makeProject(address, token, "Shop “é”");
  const [banner] = await send<{ id: string }[]>(
    `${address}/v1/vault/cookies?projectId=${projectId}`,
    { token },
  );
  const site = { address, token, projectId, cookies: banner?.id ?? "" };
  await publish(site, { force: true });
  return site;
}

export async function publish(site: Site, json: object): Promise<void> {
  const { address, token, projectId } = site;
  const at = `${address}/v1/publish/jobs/${projectId}`;
  const job = await send<Job>(at, { token, json });
  await waitFor("the publication", async () => {
    const { status } = await send<Job>(`${address}/v1/publish/jobs/${job.id}`, { token });
    return status === "Done" || undefined;
  });
}

export const collect = ({ address, projectId, cookies }: Site, token: string) =>
  send<{ consentId: string }>(`${address}/v1/app/consents/${projectId}/cookies/${cookies}`, {
    json: { token, accept: true },
  });

/** The proof of a consent, as soon as it is in the log. */
export async function readProof({ address, token }: Site, consentId: string): Promise<string> {
  return waitFor("the proof", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/v1/app/proofs/${consentId}`, { headers });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return answer.status === 200 ? text : undefined;
  });
}

export async function assertVerifies(t: TestContext, proof: string): Promise<void> {
  const folder = await openDataFolder(t);
  const file = join(folder, "proof.json");
  const key = join(folder, "log.pub");
  await writeFile(file, proof);
  await writeFile(key, `${(JSON.parse(proof) as { keys: string[] }).keys.join("\n")}\n`);
  const { code, out, err } = await runAvow(["verify", file, "--key", key]);
  assert.equal(code, 0, out + err);
}
