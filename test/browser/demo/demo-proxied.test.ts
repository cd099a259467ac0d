import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type RequestListener, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runProgram } from "../../command.ts";
import { openTestDatabase } from "../../database.ts";
import { openAnotherService } from "../../interface/another-service.ts";
import { openPage, skip } from "../widget/browser.ts";

const script = join(import.meta.dirname, "../../../packages/lab/demo/main.ts");

/** A server that forwards requests under `prefix` to the current `target`. */
async function openFront(prefix: string, target: () => string) {
  const pass: RequestListener = (req, res) => {
    const { method = "GET", url = "", headers } = req;
    if (!url.startsWith(prefix)) {
      res.writeHead(404).end();
      return;
    }
    const to = request(target() + url.slice(prefix.length), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    to.on("error", () => res.destroy());
    req.pipe(to);
  };
  const server = createServer(pass).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("the demo's page", { skip }, () => {
  it("works behind a proxy under a path, with published files on another origin", async () => {
    await using opened = new AsyncDisposableStack();
    const DATA_DIR = await mkdtemp(join(tmpdir(), "avow-places-"));
    opened.defer(() => rm(DATA_DIR, { recursive: true, force: true }));
    const database = opened.use(await openTestDatabase());
    let home = "";
    const front = opened.use(await openFront("/avow", () => home));
    const files = opened.use(await openFront("/files", () => `${home}/cdn`));
    const env = { PUBLIC_URL: front.url, CDN_URL: files.url, DATA_DIR };
    const service = opened.use(await openAnotherService(database.url, env));
    home = service.url;
    const { code, err } = await runProgram(script, [], {
      env: { PUBLIC_URL: front.url, DATABASE_URL: database.url },
    });
    assert.equal(code, 0, err);

    const { page, faults, requests } = opened.use(await openPage());
    await page.goto(`${front.url}/demo`);
    await page.getByRole("dialog").getByRole("button", { name: "Refuse all" }).click();
    const record = page.locator("#records > li").filter({ hasText: "Cookies, English" });
    await record.getByText("Not accepted", { exact: true }).waitFor();
    await record.getByText("ticketed").waitFor();
    assert.deepEqual(faults, []);
    const sentTo = (url: string) => requests.filter((sent) => sent.includes(` ${url}/`)).length;
    const all = requests.filter((sent) => !sent.includes(" data:")).length;
    assert.ok(sentTo(files.url) > 0, "the published file came from its own origin");
    assert.equal(sentTo(front.url) + sentTo(files.url), all, requests.join("\n"));
  });
});
