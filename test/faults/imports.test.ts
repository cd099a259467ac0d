import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ImportOut } from "../../packages/server/modules/consents/imports/schema.ts";
import { runAvow } from "../command.ts";
import { ada, skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { send } from "./requests.ts";

const LINES = 60_000;
const REFUSED_EACH = 5_000;
/** The service is killed after each of these numbers of lines. */
const KILLS = [5_000, 30_000];

suite("imports", { skip }, () => {
  test("resumes after each kill at its last part, and counts every line once", async (t) => {
    const dataDir = await openDataFolder(t);
    let service = startService(dataDir);
    const address = await service.address();
    const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
      json: ada,
    });
    const { projectId, identifier } = await makeProject(address, token);
    const answer = await fetch(`${address}/v1/app/imports/${projectId}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
      body: toFile(identifier),
    });
    assert.equal(answer.status, 202);
    const { links } = (await answer.json()) as ImportOut;
    for (const count of KILLS) {
      await waitFor(`${count} lines`, async () => {
        const job = await send<ImportOut>(links.self, { token });
        return job.read >= count ? job : undefined;
      });
      service.kill("SIGKILL");
      await service.ended;
      // Links contain the port of the first start.
      service = startService(dataDir, { PORT: new URL(address).port });
      await service.address();
    }
    const job = await waitFor("the end", async () => {
      const found = await send<ImportOut>(links.self, { token });
      return found.status === "Done" || found.status === "Error" ? found : undefined;
    });
    const refused = LINES / REFUSED_EACH;
    const { status, read, imported, known } = job;
    assert.deepEqual(
      { status, read, imported, known, refused: job.refused },
      { status: "Done", read: LINES, imported: LINES - refused, known: 0, refused },
      job.message ?? "",
    );
    const list = await fetch(job.links.refused ?? "", {
      headers: { authorization: `Bearer ${token}` },
    });
    const lines = (await list.text()).trimEnd().split("\r\n").slice(1);
    assert.deepEqual(
      lines.map((line) => Number(line.split(";", 1)[0])),
      Array.from({ length: refused }, (_, at) => at * REFUSED_EACH + 2),
    );
    // The whole log and every record: each has its committed leaf, or waits for one.
    const checked = await runAvow(["log", "check", "--records"], { env: { DATA_DIR: dataDir } });
    assert.equal(checked.code, 0, checked.out + checked.err);
    assert.match(checked.out, new RegExp(`All ${LINES - refused} consents`));
    await stop(service);
  });
});

/** One line in REFUSED_EACH is invalid. */
function toFile(identifier: string): string {
  const lines = Array.from({ length: LINES }, (_, at) => {
    const date = new Date(Date.UTC(2025, 0, 1) + at * 1_000).toISOString();
    const collection = at % REFUSED_EACH === 0 ? "pages" : "cookies";
    return `t${at % 40_000};${collection};${identifier};1;${date}\n`;
  });
  return `token;collection;identifier;accept;date\n${lines.join("")}`;
}

async function makeProject(address: string, token: string) {
  const shop = {
    websiteURL: "https://shop.example",
    title: "Shop",
    DPO: { organization: "Shop Ltd" },
  };
  const project = await send<{ id: string }>(`${address}/v1/vault/projects`, { token, json: shop });
  const vendors = [{ name: "matomo", title: "Matomo" }];
  const steps = [{ name: "first", layout: "category", vendors }];
  const json = { projectId: project.id, name: "cookies", steps };
  const cookies = await send<{ id: string }>(`${address}/v1/vault/cookies`, { token, json });
  return { projectId: project.id, identifier: cookies.id };
}
