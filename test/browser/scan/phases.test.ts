import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStandIn } from "../../stand-ins/http.ts";
import { type Vendors, openVendors } from "../../stand-ins/vendors.ts";
import { folderOf, serveFolder } from "../../stand-ins/website.ts";
import { phaseOf, scan, skip } from "./scanning.ts";

const consentTool = join(
  folderOf(import.meta.resolve("vanilla-cookieconsent/package.json")),
  "dist",
);

/** A page with the consent tool CookieConsent of Orest Bida, set up as its documentation says. */
const toPage = (tag: string) => `<!doctype html><html lang="en"><head>
<link rel="stylesheet" href="/cookieconsent.css">
${tag}
</head><body><h1>Shop</h1>
<script src="/cookieconsent.umd.js"></script>
<script>
CookieConsent.run({
  categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
  language: { default: "en", translations: { en: {
    consentModal: { title: "Cookies", acceptAllBtn: "Accept", acceptNecessaryBtn: "Reject" },
    preferencesModal: { sections: [] } } } }
});
localStorage.setItem("basket", "private content");
</script></body></html>`;

const blocked =
  '<script type="text/plain" data-category="analytics" data-src="https://www.google-analytics.com/analytics.js"></script>';
const unblocked = '<script async src="https://www.google-analytics.com/analytics.js"></script>';

describe("phases of a scan", { skip }, () => {
  let vendors: Vendors | undefined;
  before(async () => {
    vendors = await openVendors();
  });
  after(() => vendors?.[Symbol.asyncDispose]());

  const scanPage = async (html: string) => {
    assert.ok(vendors, "openssl is installed");
    const { port: vendorPort } = vendors;
    const serveTool = serveFolder(consentTool);
    await using site = await openStandIn((request, response) => {
      if (request.url !== "/") return serveTool(request, response);
      response.setHeader("content-type", "text/html");
      response.end(html);
    });
    const sitePort = Number(new URL(site.url).port);
    return await scan({
      url: "http://shop.example/",
      resolve: async (host) => ({
        addresses: ["127.0.0.1"],
        port: host === "shop.example" ? sitePort : vendorPort,
      }),
    });
  };

  it("finds nothing where tags wait for consent, and their services after acceptance", async () => {
    const result = await scanPage(toPage(blocked));
    assert.deepEqual(
      result.phases.map(({ name, answeredBy }) => [name, answeredBy]),
      [
        ["unanswered", null],
        ["refused", "CookieConsent"],
        ["accepted", "CookieConsent"],
      ],
    );
    assert.deepEqual(result.findings, []);
    assert.deepEqual(phaseOf(result, "refused").requests, []);
    const hosts = phaseOf(result, "accepted").requests.map(({ host }) => host);
    assert.deepEqual([...new Set(hosts)], ["www.google-analytics.com"]);
    const tool = result.services.find(({ id }) => id === "cookieconsent");
    assert.deepEqual([tool?.category, tool?.phases], ["necessary", ["refused", "accepted"]]);
    const [stored] = phaseOf(result, "unanswered").storage;
    assert.deepEqual([stored?.kind, stored?.name], ["localStorage", "basket"]);
    assert.ok(!JSON.stringify(result).includes("private content"), "no content is recorded");
  });

  it("reports a tag that runs before consent and after refusal", async () => {
    const { findings } = await scanPage(toPage(unblocked));
    assert.deepEqual(
      findings.map(({ kind, name, evidence }) => [kind, name, evidence]),
      ["before-consent", "after-refusal"].map((kind) => [
        kind,
        "google-analytics",
        ["www.google-analytics.com", "_ga", "_gid"],
      ]),
    );
  });

  it("reports a third party that recognises the device, by the host of its script", async () => {
    const { findings, phases } = await scanPage(
      `<!doctype html><title>Shop</title><script>
       const canvas = document.createElement("canvas"); canvas.getContext("2d"); canvas.toDataURL();
       </script><script src="https://fingerprints.example/f.js"></script>`,
    );
    const calls = phases[0]?.fingerprinting ?? [];
    assert.deepEqual(calls.map(({ call, host }) => `${host} ${call}`).toSorted(), [
      "fingerprints.example audio",
      "fingerprints.example canvas",
      "fingerprints.example fonts",
      "fingerprints.example hardware",
      "fingerprints.example plugins",
      "shop.example canvas",
    ]);
    const found = findings.filter(({ subject }) => subject === "fingerprinting");
    assert.deepEqual(
      found.map(({ kind, name }) => [kind, name]),
      [["before-consent", "fingerprints.example"]],
    );
  });
});
