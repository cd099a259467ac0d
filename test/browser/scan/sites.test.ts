import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ScanResult } from "@avow/scanner/result";
import { runAvow } from "../../command.ts";
import { executablePath } from "../../runner/browser.ts";
import { openStandIn } from "../../stand-ins/http.ts";
import { type Vendors, openVendors } from "../../stand-ins/vendors.ts";
import { folderOf, serveFolder } from "../../stand-ins/website.ts";
import { skip } from "./scanning.ts";

/**
 * Sites that nobody of this project wrote, from npm, unchanged: with the tags that their authors put in. The vendors'
 * hosts are answered on this machine.
 */
const sites = [
  {
    title: "HTML5 Boilerplate with Google Analytics",
    folder: join(folderOf(import.meta.resolve("html5-boilerplate/package.json")), "dist"),
    index: "index.html",
    services: ["google-analytics"],
    hosts: [],
    pages: 1,
  },
  {
    title: "Freelancer of Start Bootstrap with fonts, icons and a delivery network",
    folder: join(folderOf(import.meta.resolve("startbootstrap-freelancer/package.json")), "dist"),
    index: "index.html",
    services: ["font-awesome", "google-fonts", "jsdelivr"],
    hosts: ["cdn.startbootstrap.com"],
    pages: 1,
  },
  {
    title: "Paper Dashboard with Google Maps",
    folder: folderOf(import.meta.resolve("paper-dashboard/package.json")),
    index: "dashboard.html",
    services: ["bootstrapcdn", "google-fonts", "google-maps"],
    hosts: [],
    pages: 5,
  },
];

describe("avow scan", { skip }, () => {
  let vendors: Vendors | undefined;
  before(async () => {
    vendors = await openVendors();
  });
  after(() => vendors?.[Symbol.asyncDispose]());

  const scan = async (folder: string, index: string, args: readonly string[]) => {
    assert.ok(vendors, "openssl is installed");
    await using site = await openStandIn(serveFolder(folder, index));
    const port = new URL(site.url).port;
    return await runAvow(
      [
        "scan",
        "http://site.example/",
        "--map",
        `site.example=127.0.0.1:${port}`,
        "--map",
        `*=127.0.0.1:${vendors.port}`,
        "--insecure",
        "--no-sandbox",
        "--pages",
        "5",
        ...args,
      ],
      { env: { CHROMIUM_PATH: executablePath } },
    );
  };

  for (const site of sites)
    it(`reports what ${site.title} runs before consent`, async () => {
      const { code, out, err } = await scan(site.folder, site.index, ["--json"]);
      assert.equal(code, 1, err);
      const result = JSON.parse(out) as ScanResult;
      const { findings, services, vendors: proposed } = result;
      const early = findings.filter(({ kind }) => kind === "before-consent");
      const namesOf = (subject: string) =>
        early.flatMap((one) => (one.subject === subject ? [one.name] : [])).toSorted();
      assert.deepEqual(namesOf("service"), site.services);
      assert.deepEqual(namesOf("host"), site.hosts);
      assert.deepEqual(services.map(({ id }) => id).toSorted(), site.services);
      assert.deepEqual(proposed.map(({ en }) => en.name).toSorted(), site.services);
      assert.equal(result.phases[0]?.pages.length, site.pages);
      assert.deepEqual(
        result.phases[0]?.pages.map(({ status }) => status),
        Array.from({ length: site.pages }, () => 200),
      );
      assert.deepEqual(
        findings.filter(({ kind }) => kind === "not-answered").length,
        1,
        "these sites ask nobody",
      );
      assert.ok(!out.includes("GA1.1"), "no value of a cookie is recorded");
      assert.ok(!out.includes("cid="), "no query is recorded");
    });

  it("lists cookies with their lifetimes, and proposes texts in two languages", async () => {
    const [site] = sites;
    assert.ok(site);
    const { out } = await scan(site.folder, site.index, ["--json"]);
    const result = JSON.parse(out) as ScanResult;
    const cookies = result.phases[0]?.cookies ?? [];
    assert.deepEqual(cookies.map(({ name }) => name).toSorted(), ["_ga", "_gid"]);
    // Chromium caps lifetimes at 400 days.
    const days = (cookies.find(({ name }) => name === "_ga")?.lifetimeSeconds ?? 0) / 86_400;
    assert.ok(days > 399 && days <= 400, String(days));
    const [vendor] = result.vendors;
    assert.ok(vendor);
    assert.equal(vendor.en.title, "Google Analytics");
    assert.deepEqual(vendor.en.googleConsentMode, ["analytics_storage"]);
    assert.deepEqual(vendor.en.storage?.map(({ name, kind }) => [name, kind]).toSorted(), [
      ["_ga", "cookie"],
      ["_gid", "cookie"],
    ]);
    assert.match(vendor.fr.shortDescription ?? "", /visiteurs/);
  });

  it("prints tables, and exits with 0 when the found hosts are allowed", async () => {
    const [, site] = sites;
    assert.ok(site);
    const allowed = ["*.fontawesome.com", "*.googleapis.com", "*.gstatic.com"];
    const more = ["cdn.jsdelivr.net", "cdn.startbootstrap.com"];
    const args = [...allowed, ...more].flatMap((host) => ["--allow", host]);
    const { code, out, err } = await scan(site.folder, site.index, args);
    assert.equal(code, 0, out + err);
    assert.match(out, /^Services\n {2}Google Fonts|^ {2}Font Awesome +functional +no answer/m);
    assert.doesNotMatch(out, /Ran before consent/);
    assert.match(err, /unanswered: page 1, http:\/\/site\.example\//);
  });
});
