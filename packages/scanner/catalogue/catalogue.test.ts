import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Vendor } from "@avow/contract/configuration";
import { Value } from "typebox/value";
import { assess } from "../findings/assess.ts";
import type { Phase, PhaseName, SeenCookie } from "../record/result.ts";
import { openCatalogue } from "./catalogue.ts";
import database from "./open-cookie-database.json" with { type: "json" };
import { matchesHost, matchesName } from "./patterns.ts";

const catalogue = await openCatalogue();

const toCookie = (name: string, domain = "shop.example"): SeenCookie => ({
  name,
  domain,
  path: "/",
  lifetimeSeconds: 34_187_400,
  isSecure: false,
  isHttpOnly: false,
  sameSite: "Lax",
  isThirdParty: domain !== "shop.example",
});

function toPhase(
  name: PhaseName,
  { hosts = [], cookies = [] }: { hosts?: string[]; cookies?: SeenCookie[] },
): Phase {
  return {
    name,
    answeredBy: name === "unanswered" ? null : "Avow",
    pages: [{ url: "https://shop.example/", status: 200 }],
    requests: hosts.map((text) => {
      const { hostname: host, pathname: path } = new URL(`https://${text}`);
      return { host, path, type: "script", count: 1, isThirdParty: true };
    }),
    cookies,
    storage: [],
    fingerprinting: [],
  };
}

const assessing = {
  catalogue,
  siteHost: "shop.example",
  declared: undefined,
  allowedHosts: [] as string[],
};

describe("patterns of hosts and names", () => {
  it("match hosts below a domain, prefixes of paths, and stars in names", () => {
    const hosts: [string, string, string, boolean][] = [
      ["*.example.com", "a.b.example.com", "/", true],
      ["*.example.com", "example.com", "/", true],
      ["*.example.com", "badexample.com", "/", false],
      ["example.com", "EXAMPLE.com", "/", true],
      ["www.google.com/recaptcha", "www.google.com", "/recaptcha/api.js", true],
      ["www.google.com/recaptcha", "www.google.com", "/maps", false],
    ];
    for (const [pattern, host, path, isRight] of hosts)
      assert.equal(matchesHost(pattern, host, path), isRight, `${pattern} ${host}${path}`);
    const names: [string, string, boolean][] = [
      ["_ga_*", "_ga_ABC", true],
      ["_ga_*", "_gat", false],
      ["_ga", "_ga_ABC", false],
      ["a*b*c", "a1b2c", true],
      ["a*a", "a", false],
    ];
    for (const [pattern, name, isRight] of names)
      assert.equal(matchesName(pattern, name), isRight, `${pattern} ${name}`);
  });
});

describe("the catalogue", () => {
  it("has unique services with a source, whose proposed vendors the vault accepts", () => {
    const { services } = catalogue;
    assert.ok(services.length >= 60);
    assert.equal(new Set(services.map(({ id }) => id)).size, services.length);
    const phases = services.flatMap((service) =>
      service.hosts.map((host) => toPhase("unanswered", { hosts: [host.replace("*", "sub")] })),
    );
    const found = assess(phases, assessing);
    const seen = new Set(found.services.map(({ id }) => id));
    for (const { id, hosts, source } of services) {
      assert.match(source, /^https:\/\/|^docs\//, id);
      assert.ok(hosts.length === 0 || seen.has(id), `${id} is found by one of its hosts`);
    }
    for (const vendor of found.vendors)
      for (const language of ["en", "fr"] as const) {
        const errors = Value.Errors(Vendor, vendor[language]);
        assert.deepEqual(errors, [], vendor.en.name);
        assert.ok(vendor[language].shortDescription, vendor.en.name);
      }
  });

  it("names only platforms that the cookie database has", () => {
    const rows = catalogue.services.flatMap(({ platforms = [] }) => platforms);
    const known = new Set(database.platforms.map(([name]) => name));
    const unknown = rows.filter((platform) => !known.has(platform));
    assert.deepEqual(unknown, []);
  });

  it("finds the service of a request by its most specific pattern", () => {
    const cases: [string, string, string | undefined][] = [
      ["www.googletagmanager.com", "/gtag/js", "google-analytics"],
      ["www.googletagmanager.com", "/gtm.js", "google-tag-manager"],
      ["www.google.com", "/recaptcha/api.js", "google-recaptcha"],
      ["www.facebook.com", "/tr/", "meta-pixel"],
      ["www.facebook.com", "/plugins/like.php", "facebook-social"],
      ["region1.google-analytics.com", "/g/collect", "google-analytics"],
      ["stats.shop.example", "/matomo.php", "matomo"],
      ["unknown.example", "/", undefined],
    ];
    for (const [host, path, id] of cases)
      assert.equal(catalogue.findByRequest(host, path)?.id, id, `${host}${path}`);
  });
});

describe("the attribution of cookies", () => {
  const servicesOf = (hosts: string[], cookies: SeenCookie[]) =>
    assess([toPhase("unanswered", { hosts, cookies })], assessing).services.map(({ id }) => id);

  it("finds services by their own cookies, third-party domains and distinctive names", () => {
    assert.deepEqual(servicesOf([], [toCookie("_ga_ABC123")]), ["google-analytics"]);
    assert.deepEqual(servicesOf([], [toCookie("_fbp")]), ["meta-pixel"]);
    assert.deepEqual(servicesOf([], [toCookie("IDE", "doubleclick.net")]), ["doubleclick"]);
    assert.deepEqual(servicesOf([], [toCookie("PHPSESSID")]), ["php-net"]);
  });

  it("finds nothing by a name that many programs use", () => {
    assert.deepEqual(servicesOf([], [toCookie("id"), toCookie("lang"), toCookie("session")]), []);
  });

  it("reports no finding for functional cookies of the site's own software", () => {
    const { findings } = assess(
      [toPhase("unanswered", { cookies: [toCookie("PHPSESSID")] })],
      assessing,
    );
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ["not-answered"],
    );
  });
});

describe("findings", () => {
  const phases = [
    toPhase("unanswered", { hosts: ["js.stripe.com/v3", "unknown.example/a"] }),
    toPhase("refused", { hosts: ["static.hotjar.com/c"], cookies: [toCookie("_hjSession_1")] }),
    toPhase("accepted", { hosts: ["static.hotjar.com/c"] }),
  ];
  const kinds = (given: object = {}) =>
    assess(phases, { ...assessing, ...given }).findings.map(({ kind, name }) => `${kind} ${name}`);

  it("are what ran before consent and after refusal, but not necessary services", () => {
    assert.deepEqual(kinds(), ["before-consent unknown.example", "after-refusal hotjar"]);
    assert.deepEqual(kinds({ allowedHosts: ["*.hotjar.com", "unknown.example"] }), [
      // Its cookie remains.
      "after-refusal hotjar",
    ]);
  });

  it("compare services with the declared vendors", () => {
    const declared = [
      { name: "mouse", hosts: ["*.hotjar.com"] },
      { name: "own", required: true, hosts: ["unknown.example"] },
      { name: "old", hosts: ["old.example"] },
      { name: "unspecified" },
    ];
    assert.deepEqual(kinds({ declared }), [
      "after-refusal hotjar",
      "undeclared stripe",
      "unseen old",
    ]);
    const { services, vendors } = assess(phases, { ...assessing, declared });
    assert.deepEqual(
      services.map(({ id, declaredBy }) => [id, declaredBy]),
      [
        ["stripe", null],
        ["hotjar", "mouse"],
      ],
    );
    assert.deepEqual(
      vendors.map(({ en }) => [en.name, en.required]),
      [["stripe", true]],
    );
  });

  it("propose durations that the browser showed, in two languages", () => {
    const { vendors } = assess(
      [toPhase("unanswered", { cookies: [toCookie("_ga_ABC123")] })],
      assessing,
    );
    const [vendor] = vendors;
    assert.deepEqual(
      [vendor?.en.storage?.[0], vendor?.fr.storage?.[0]].map((item) => [
        item?.name,
        item?.duration,
      ]),
      [
        ["_ga_*", "13 months"],
        ["_ga_*", "13 mois"],
      ],
    );
  });
});
