import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Cookies, Project } from "@avow/contract/configuration";
import * as fc from "fast-check";
import { Value } from "typebox/value";
import { type Conversion, MoveInError, convert } from "../../packages/move-in/convert.ts";
import { toPlainText } from "../../packages/move-in/mapping/plain-text.ts";
import { toNamePatterns } from "../../packages/move-in/products/cookie-names.ts";
import { recognizeFile } from "../../packages/move-in/recognize.ts";
import { pathOfSample, samples } from "./samples.ts";

const LIMIT_MS = 5_000;

function convertText(text: string, name = "file.js"): Conversion {
  return convert([{ name, text }], { site: "https://shop.example/" });
}

function listFurther(file: { name: string; text: string }): string[] {
  return recognizeFile(file).further;
}

function readKlaro(fields: string): Conversion {
  return convertText(
    `var klaroConfig = { translations: {}, services: [{ name: "a" }], ${fields} };`,
  );
}

/** Replaces values anywhere in a document. */
function replaceAt(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  copy[key] = replaceAt(copy[key], rest, replacement);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

describe("a hostile configuration", () => {
  it("is never run", () => {
    const global = globalThis as Record<string, unknown>;
    const attack = "globalThis.ran = true";
    readKlaro(`lang: (() => { ${attack}; return "en"; })(), get cookieName() { ${attack} }`);
    readKlaro(`[(${attack}, "lang")]: "en", mustConsent: eval("${attack}")`);
    convertText(`${attack}; var klaroConfig = { translations: {}, services: [] };`);
    assert.equal(global["ran"], undefined);
  });

  it("reports computed values with their line, and keeps the others", () => {
    const { proposal, report } = readKlaro(`cookieExpiresAfterDays: 90,\nlang: navigator.language`);
    assert.equal(proposal.cookies[0]?.settings?.expiresAfterDays, 90);
    const line = report.lines.find(({ path }) => path === "klaroConfig.lang");
    assert.match(line?.reason ?? "", /Computed by the script \(line 2\)/);
  });

  it("adds nothing to prototypes", () => {
    const json = `{"app":{"vendors":{"custom":[{"id":"__proto__","name":"a"}]},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"notice":{"content":{"notice":{"__proto__":"b","en":"Hello"}}}}`;
    const { proposal, report } = convertText(json, "didomi.json");
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.equal(proposal.cookies[0]?.steps?.[0]?.message, "<p>Hello</p>");
    assert.ok(
      report.lines.some(({ kind, path }) => kind === "invalid" && path === "app.__proto__"),
    );
    readKlaro(`"__proto__": { polluted: 1 }, translations: { __proto__: { polluted: 1 } }`);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("has its markup removed and its characters escaped", () => {
    const markup = `<img src=x onerror=alert(1)><script>alert(1)</script>A &lt;b&gt; &amp; "B"<style>p{}</style><a href="javascript:alert(1)">C</a>\u202E\u0007`;
    const { proposal } = readKlaro(
      `translations: { en: { privacyPolicyUrl: "javascript:alert(1)", consentNotice: { title: ${JSON.stringify(markup)}, description: ${JSON.stringify(markup)} } } }`,
    );
    const [step] = proposal.cookies[0]?.steps ?? [];
    assert.equal(step?.title, 'A <b> & "B"C');
    assert.equal(step?.message, "<p>A &lt;b&gt; &amp; &quot;B&quot;C</p>");
  });

  it("is a line of the report where a value has another type", () => {
    const { report } = convertText(
      JSON.stringify({
        DomainData: {
          Language: 5,
          AlertNoticeText: { en: "no" },
          BannerPosition: ["top"],
          ReconsentFrequencyDays: "soon",
          Groups: [1, { CustomGroupId: "A", Status: [], FirstPartyCookies: "none", Hosts: [{}] }],
        },
      }),
      "ot.json",
    );
    const lines = report.lines.filter(({ kind }) => kind === "invalid");
    const invalid = new Set(lines.map(({ path }) => path));
    for (const path of [
      "DomainData.Language",
      "DomainData.AlertNoticeText",
      "DomainData.BannerPosition",
      "DomainData.ReconsentFrequencyDays",
      "DomainData.Groups[0]",
      "DomainData.Groups[1].Status",
      "DomainData.Groups[1].FirstPartyCookies",
    ])
      assert.ok(invalid.has(path), path);
  });

  it("is limited in depth, in number and in time", () => {
    const startedAt = performance.now();
    const deep = `{"app":{"vendors":{}},"notice":${'{"content":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
    assert.ok(convertText(deep, "deep.json").report.lines.length > 0);
    for (const open of ["[", "(", "{a:", "!", "a?", "`${"])
      assert.throws(() => convertText(`var klaroConfig = ${open.repeat(50_000)}`), MoveInError);
    const closed = `var klaroConfig = { translations: {}, services: ${"[".repeat(3_000)}${"]".repeat(3_000)} };`;
    try {
      convertText(closed);
    } catch (error) {
      assert.ok(error instanceof MoveInError);
    }
    const many = JSON.stringify({
      app: { vendors: { custom: Array.from({ length: 50_000 }, () => ({ id: "a" })) } },
    });
    const { report } = convertText(many, "many.json");
    assert.ok(report.lines.some(({ reason }) => reason.startsWith("Only 500 entries")));
    assert.throws(() => convertText("x".repeat(9 * 1024 * 1024)), /more than 8 MiB/);
    for (const text of [
      "<!--".repeat(50_000),
      "<a href='".repeat(20_000),
      "<script".repeat(30_000),
    ]) {
      toPlainText(text, 1_000);
      listFurther({ name: "https://shop.example/", text: `<!doctype html>${text}` });
    }
    assert.ok(performance.now() - startedAt < 6 * LIMIT_MS);
  });

  it("takes bounded time for many references, computed values and long names of files", () => {
    const startedAt = performance.now();
    const values = JSON.stringify(Array.from({ length: 50_000 }, () => 1));
    const many = `const big = ${values};${"tool.run(big);klaroConfig = big;".repeat(20_000)}`;
    const head = `var klaroConfig = { translations: {}, services: [], more: big };`;
    assert.equal(convertText(many + head).product.tool, "klaro");
    const computed = `var klaroConfig = { translations: {}, services: [], a: [${"f(),\n".repeat(100_000)}] };`;
    assert.ok(convertText(computed).report.omitted > 0);
    for (const name of ["klaro", "config", "cookieconsent", "tarteaucitron", "a"])
      for (const quote of ['"', ""])
        listFurther({
          name: "https://shop.example/",
          text: `<!doctype html><script src="${name.repeat(200_000)}${quote}></script>`,
        });
    const regex = `var klaroConfig = { translations: {}, services: [{ name: "a", cookies: [/${"a".repeat(100_000)}(${"b|".repeat(100_000)}c)/] }] };`;
    assert.equal(convertText(regex).product.tool, "klaro");
    assert.ok(performance.now() - startedAt < 6 * LIMIT_MS);
  });

  it("with circular references is a line of the report", () => {
    const { report } = convertText(
      `const a = b, b = a; var klaroConfig = { translations: a, services: [{ name: "x" }] };`,
    );
    assert.ok(report.lines.some(({ path }) => path === "klaroConfig.translations"));
  });

  it("converts or is rejected with a reason, whatever its values are", () => {
    const files = Object.values(samples)
      .flatMap((sample) => sample.files)
      .filter((file) => file.endsWith(".json"));
    const documents = files.map(
      (file) => JSON.parse(readFileSync(pathOfSample(file), "utf8")) as unknown,
    );
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", "<b>", "\u0000", 1e308, -1, [[]]));
    const path = fc.array(fc.nat(40), { minLength: 1, maxLength: 6 });
    const changes = fc.array(fc.tuple(path, value), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, (document, list) => {
        let changed: unknown = document;
        for (const [at, replacement] of list) changed = replaceAt(changed, at, replacement);
        try {
          const { proposal } = convertText(JSON.stringify(changed), "changed.json");
          assert.ok(Value.Check(Project, proposal.project));
          const projectId = "0".repeat(24);
          const errors = proposal.cookies.flatMap((one) => [
            ...Value.Errors(Cookies, { projectId, ...one }),
          ]);
          assert.deepEqual(errors, []);
        } catch (error) {
          assert.ok(error instanceof MoveInError, String(error));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("names of cookies from regular expressions", () => {
  it("are patterns with *, or nothing if the expression says more", () => {
    assert.deepEqual(toNamePatterns("^_pk_.*$"), ["_pk_*"]);
    assert.deepEqual(toNamePatterns("^(_ga|_gid)"), ["_ga*", "_gid*"]);
    assert.deepEqual(toNamePatterns("^a\\.b$"), ["a.b"]);
    assert.deepEqual(toNamePatterns("hj"), ["*hj*"]);
    for (const regex of ["", ".*", "^x(?=y)", "^[ab]$", "^a{3}$", "(a)(b)", "^a\\d+$"])
      assert.deepEqual(toNamePatterns(regex), [], regex);
  });
});
