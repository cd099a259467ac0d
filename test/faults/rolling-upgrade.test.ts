import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openTestDatabase } from "../database.ts";
import { stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { hasCommit } from "../../packages/lab/bench/before/source-tree.ts";
import { makeSourceTree } from "./lifecycle/source-tree.ts";
import { send } from "./requests.ts";
import { type Site, assertVerifies, collect, openSite, publish, readProof } from "./site.ts";

/** The last commit of the version before this one, whose nodes this version replaces one by one. */
const BEFORE = "41740ff3";
const COLLECT_EVERY_MS = 20;
const skip = hasCommit(BEFORE) ? false : `the checkout does not have the commit ${BEFORE}`;

test(
  "nodes of the version before serve beside a node of this one until they are replaced",
  { skip },
  async (t) => {
    await using database = await openTestDatabase({ isEmpty: true });
    const dataDir = await openDataFolder(t, "data");
    const env = { DATABASE_URL: database.url, PUBLIC_URL: "https://consent.example" };
    const tree = await makeSourceTree(t, { commit: BEFORE });
    const old = startService(dataDir, env, [
      process.execPath,
      join(tree, "packages/server/main.ts"),
    ]);
    const site = await openSite(await old.address());

    const acknowledged: string[] = [];
    const nodes: Site[] = [site];
    const stopped = new AbortController();
    const collecting = (async () => {
      for (let n = 0; !stopped.signal.aborted; n += 1) {
        // Two visitors in turns, so that each node changes states that the other one wrote.
        for (const node of nodes)
          acknowledged.push((await collect(node, `visitor-${n % 2}`)).consentId);
        await delay(COLLECT_EVERY_MS);
      }
    })();
    const collectMore = async () => {
      const before = acknowledged.length;
      await waitFor("consents", () => acknowledged.length > before + 20 || undefined);
    };

    await collectMore();
    const next = startService(dataDir, env);
    const replaced = { ...site, address: await next.address() };
    nodes.push(replaced);
    await collectMore();
    for (const [title, writer, reader] of [
      ["by the old node", site, replaced],
      ["by the new node", replaced, site],
    ] as const) {
      const url = `${writer.address}/v1/vault/projects/${site.projectId}`;
      await send(url, { token: site.token, json: { title }, method: "PATCH" });
      await publish(writer, { force: true });
      const read = await send<{ title: string }>(
        `${reader.address}/v1/vault/projects/${site.projectId}`,
        { token: site.token },
      );
      assert.equal(read.title, title);
    }
    await collectMore();
    nodes.shift();
    await delay(COLLECT_EVERY_MS * 5);
    await stop(old);
    await collectMore();
    stopped.abort();
    await collecting;

    const exported = await fetch(`${replaced.address}/v1/app/exports/${site.projectId}.ndjson`, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    const ids = (await exported.text()).matchAll(/"consentId":"([^"]+)"/g);
    assert.deepEqual(
      new Set(Array.from(ids, ([, id]) => id)),
      new Set(acknowledged),
      "all acknowledged consents are on record",
    );
    for (const id of acknowledged) await readProof(replaced, id);
    for (const n of [0, acknowledged.length >> 1, acknowledged.length - 1])
      await assertVerifies(t, await readProof(replaced, acknowledged[n] ?? ""));
    await stop(next);
  },
);
