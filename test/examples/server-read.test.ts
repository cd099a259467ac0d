import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createConsent } from "@avow/widget/headless";
import { build } from "esbuild";
import { service } from "../harness.ts";
import { type Running, installExample } from "./example.ts";
import { newExampleSite } from "./shop.ts";

describe("the example of reading consent on a server", async () => {
  const site = await newExampleSite();
  const example = await installExample("server-read");
  after(() => example[Symbol.asyncDispose]());
  const env = { AVOW_PROJECT: site.projectId, AVOW_URL: service.url };

  /** The cookie of an answer, as a browser has it. */
  const answer = async (given: Record<string, boolean>): Promise<string> => {
    let cookie = "";
    const storage = {
      read: () => undefined,
      write: (name: string, text: string) =>
        (cookie = name === "axeptio_cookies" ? `${name}=${text}` : cookie),
    };
    const consent = createConsent({ project: site.projectId, url: service.url, storage });
    await consent.ready;
    await consent.answer(given);
    return cookie;
  };

  const checkPages = async ({ url, readOutput }: Running): Promise<void> => {
    const read = async (cookie?: string) => {
      const response = await fetch(url, cookie === undefined ? {} : { headers: { cookie } });
      assert.equal(response.status, 200, readOutput());
      assert.equal(response.headers.get("cache-control"), "private");
      assert.match(response.headers.get("vary") ?? "", /cookie/i);
      return response.text();
    };
    const unknown = await read();
    assert.match(unknown, /You have not answered yet/);
    assert.match(unknown, /Bestsellers/);
    assert.doesNotMatch(unknown, /<iframe/);
    const partly = await read(`theme=dark; ${await answer({ stats: true, video: false })}`);
    assert.match(partly, /You have answered/);
    assert.match(partly, /For you/);
    assert.doesNotMatch(partly, /<iframe/);
    assert.match(await read(await answer({ stats: false, video: true })), /Bestsellers[^]*<iframe/);
    assert.match(await read("axeptio_cookies=%7B%22stats%22%3Atrue%7D"), /not answered yet/);
  };

  for (const name of ["node", "hono", "fastify", "express"])
    it(`renders pages by consent with ${name}`, async () => {
      await using running = await example.start([`${name}.js`], env);
      await checkPages(running);
    });

  it("renders pages by consent in workerd, the runtime of Cloudflare Workers", async () => {
    await build({
      entryPoints: [join(example.folder, "edge.js")],
      outfile: join(example.folder, "edge.bundle.js"),
      bundle: true,
      format: "esm",
      logLevel: "silent",
    });
    const bindings = Object.entries(env).map(([name, text]) => `(name="${name}", text="${text}")`);
    await writeFile(
      join(example.folder, "start-edge.js"),
      `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import workerd from "workerd";
writeFileSync("config.capnp", \`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:\${process.env.PORT}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "edge.js", esModule = embed "edge.bundle.js")],
  compatibilityDate = "2026-06-01",
  bindings = [${bindings.join(", ")}],
);
\`);
const child = spawn(workerd.default, ["serve", "config.capnp"], { stdio: "inherit" });
process.on("SIGTERM", () => child.kill("SIGKILL"));
child.on("exit", (code) => process.exit(code ?? 0));
`,
    );
    await using running = await example.start(["start-edge.js"], env);
    await checkPages(running);
  });
});
