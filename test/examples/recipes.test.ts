import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { skip } from "../browser/widget/browser.ts";
import { service } from "../harness.ts";
import { installExample } from "./example.ts";
import { newExampleSite } from "./shop.ts";
import { serveFolder, toSettings, visitShop } from "./visits.ts";

/** Examples that are files only once they are built. */
const built = {
  svelte: { settings: "src/settings.js", output: "dist" },
  angular: { settings: "src/app/settings.ts", output: "dist/browser" },
};

for (const [name, { settings, output }] of Object.entries(built))
  it(
    `the example for ${name} asks, runs what is accepted, and takes a withdrawal`,
    { skip },
    async () => {
      const { projectId } = await newExampleSite();
      await using example = await installExample(name);
      await writeFile(join(example.folder, settings), toSettings(projectId, service.url));
      await example.run("build");
      await using shop = await serveFolder(join(example.folder, output));
      await visitShop(shop.url);
    },
  );

it("the example for astro renders by consent on the server", { skip }, async () => {
  const { projectId } = await newExampleSite();
  await using example = await installExample("astro");
  await writeFile(join(example.folder, "src/settings.js"), toSettings(projectId, service.url));
  await example.run("build");
  await using app = await example.start(["dist/server/entry.mjs"]);
  const html = await (await fetch(app.url)).text();
  assert.match(html, /<dialog[^>]* open/);
  assert.match(html, /Statistics are off/);
  await visitShop(app.url);
});
