import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Resolve } from "@avow/scanner";
import { limitsOfRecord } from "@avow/scanner/result";
import { listen, scan, sendPage, skip } from "./scanning.ts";

const resolve: Resolve = async (_host, port) => ({ addresses: ["127.0.0.2"], port });

describe("the appearance of a scanned site", { skip }, () => {
  it("has languages, colors and pictures of the start page", async () => {
    await using site = await listen(
      "127.0.0.2",
      sendPage(`<!doctype html><html lang="fr-FR"><title>Boutique</title>
        <link rel="alternate" hreflang="de" href="/de"><link rel="alternate" hreflang="x-default" href="/de">
        <link rel="alternate" hreflang="../../etc" href="/x">
        <style>body { background: #fdf6e3; color: #222 } button { background: #0a5a46; color: #fff }</style>
        <p>Bonjour</p><button>Acheter</button>`),
    );
    const { appearance } = await scan({
      url: `http://127.0.0.2:${site.port}/`,
      resolve,
      pagesMax: 1,
    });
    assert.equal(appearance?.language, "fr-fr");
    assert.deepEqual(appearance.languages, ["fr-fr", "de"]);
    assert.deepEqual(appearance.colors, {
      background: "#fdf6e3",
      text: "#222222",
      accent: "#0a5a46",
    });
    for (const picture of Object.values(appearance.screenshots)) {
      assert.ok(picture !== null && picture.length <= limitsOfRecord.screenshot);
      assert.deepEqual([...Buffer.from(picture, "base64").subarray(0, 3)], [0xff, 0xd8, 0xff]);
    }
  });

  it("is empty where the page lies about its functions", async () => {
    await using site = await listen(
      "127.0.0.2",
      sendPage(`<title>Trap</title><script>
        globalThis.getComputedStyle = () => ({ color: "x".repeat(9_000), backgroundColor: {} });
      </script>`),
    );
    const { appearance } = await scan({
      url: `http://127.0.0.2:${site.port}/`,
      resolve,
      pagesMax: 1,
    });
    assert.deepEqual(appearance?.colors, { background: "#ffffff", text: null, accent: null });
    assert.deepEqual([appearance.language, appearance.languages], [null, []]);
  });
});
