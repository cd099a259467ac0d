import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isVendor } from "@avow/contract/vendors";
import { type Conversion, convert } from "../../packages/move-in/convert.ts";
import { toSourceFile } from "../../packages/move-in/mapping/input.ts";
import { toReportText } from "../../packages/move-in/mapping/report-text.ts";
import { recognizeFile } from "../../packages/move-in/recognize.ts";

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

function convertKlaro(config: object): Conversion {
  const text = JSON.stringify({ translations: {}, ...config });
  return convert([{ name: "klaro.json", text }], { site: "https://shop.example/" });
}

function assertLine({ report }: Conversion, reason: RegExp): void {
  const reasons = report.lines.map((line) => `${line.path}: ${line.reason}`);
  assert.ok(
    reasons.some((line) => reason.test(line)),
    reasons.join("\n"),
  );
}

describe("a configuration beyond a limit", () => {
  it("has a line for each category that is left out", () => {
    const services = times(95, (n) => ({ name: `s${n}`, purposes: [`purpose ${n}`] }));
    const conversion = convertKlaro({ services });
    assert.equal(conversion.proposal.cookies[0]?.steps?.length, 91);
    const cut = conversion.report.lines.filter(({ reason }) => /Only 90 categories/.test(reason));
    assert.deepEqual(
      cut.map(({ path }) => path.replace(/:.*/, "")),
      times(5, (n) => `category purpose ${90 + n}`),
    );
  });

  it("has a line for vendors of a category", () => {
    const services = times(500, (n) => ({ name: `s${n}`, purposes: ["ads"] }));
    const apps = times(2, (n) => ({ name: `a${n}`, purposes: ["ads"] }));
    const conversion = convertKlaro({ services, apps });
    const vendors = conversion.proposal.cookies[0]?.steps?.[1]?.vendors ?? [];
    assert.equal(vendors.filter(isVendor).length, 500);
    assertLine(conversion, /^a1: Only 500 vendors of a category are proposed/);
    const { imports = [] } = convert(
      [{ name: "klaro.json", text: JSON.stringify({ translations: {}, services, apps }) }],
      { site: "https://shop.example/", adoptsAnswers: true },
    ).proposal.cookies[0] ?? { imports: [] };
    assert.equal(Object.keys(imports[0]?.categories ?? {}).length, 500);
    assertLine(conversion, /^imports: Only 500 old answers/);
  });

  it("has a line for cookies of a service", () => {
    const cookies = times(101, (n) => `c${n}`);
    assertLine(
      convertKlaro({ services: [{ name: "a", cookies }] }),
      /Only 100 cookies of a service/,
    );
  });

  it("has a line for a text that is cut", () => {
    const description = "a".repeat(20_001);
    const conversion = convertKlaro({
      services: [{ name: "a", description }],
      translations: { en: { ok: "b".repeat(300) } },
    });
    assertLine(conversion, /services\[0\]\.description: The text is longer than 20000/);
    assertLine(conversion, /^text of the button acceptAll, en: .*longer than 200/);
  });

  it("has a line for an expiry that Avow does not have", () => {
    const conversion = convertKlaro({ services: [{ name: "a" }], cookieExpiresAfterDays: 9_999 });
    assert.equal(conversion.proposal.cookies[0]?.settings?.expiresAfterDays, 3_650);
    assertLine(conversion, /^expiry of answers: 9999 days/);
  });

  it("has a line for rows, regions, links and inline scripts", () => {
    const rows = JSON.stringify(
      times(501, (n) => [`c${n}`, "a.example", "", "", "", "1", "", "A"]),
    );
    const cookiebot = `CookieConsentDialog.cookieTableStatistics = ${rows};`;
    assertLine(convert([{ name: "cc.js", text: cookiebot }]), /Only 500 cookies of a category/);
    const translation = {
      consentModal: {
        description: times(25, (n) => `<a href="https://shop.example/${n}">x</a>`).join(" "),
      },
    };
    const run = { categories: { a: {} }, language: { translations: { en: translation } } };
    const linked = convert([{ name: "cc.json", text: JSON.stringify(run) }]);
    assertLine(linked, /At most 20 links of a text/);
    assertLine(linked, /^links of the first layer, en: Only 10 links are proposed, of 20/);
    const scripts = "<script>a()</script>".repeat(201);
    const page = `<!doctype html><script>klaroConfig = { translations: {}, services: [{ name: "a" }] }</script>${scripts}`;
    assertLine(convert([{ name: "page.html", text: page }]), /Only 200 inline scripts/);
  });

  it("names the public files that are not fetched", () => {
    const scripts = times(7, (n) => `<script src="/klaro-config-${n}.js"></script>`).join("");
    const page = { name: "https://shop.example/", text: `<!doctype html>${scripts}` };
    const { further, omitted } = recognizeFile(page);
    assert.equal(further.length, 5);
    assert.deepEqual(
      omitted.map(({ name }) => name),
      ["/klaro-config-5.js", "/klaro-config-6.js"],
    );
    const RuleSet = times(6, (n) => ({
      Id: `rule-${n}`,
      LanguageSwitcherPlaceholder: Object.fromEntries(
        times(11, (l) => [`l${l}`, `e${"abcdefghijk"[l] ?? ""}`]),
      ),
    }));
    const domain = {
      name: "https://cdn.example/consent/a/a.json",
      text: JSON.stringify({ RuleSet }),
    };
    const found = recognizeFile(domain);
    assert.equal(found.further.length, 50);
    assert.match(found.omitted[0]?.reason ?? "", /files of 5 rules are fetched, of 6/);
    assert.match(found.omitted[1]?.reason ?? "", /files of 10 languages are fetched, of 11/);
  });
});

describe("the encoding of a file", () => {
  for (const [name, bytes, encoding] of [
    ["UTF-8", Buffer.from("é€"), undefined],
    ["UTF-8 with a byte order mark", Buffer.from("\uFEFFé€"), undefined],
    ["UTF-16", Buffer.from("\uFEFFé€", "utf16le"), undefined],
    ["big-endian UTF-16", Buffer.from("\uFEFFé€", "utf16le").swap16(), undefined],
    ["Windows-1252", Buffer.from([0xe9, 0x80]), "windows-1252"],
  ] as const)
    it(`is recognized: ${name}`, () => {
      const file = toSourceFile("a", bytes);
      assert.equal(file.text, "é€");
      assert.equal(file.encoding, encoding);
    });
});

describe("the report as text", () => {
  it("has each reason once, and the number of lines beyond the limit", () => {
    const line = { kind: "decide", reason: "Write one." } as const;
    const lines = [0, 1].map((n) => ({ ...line, path: `a[${n}].b` }));
    const text = toReportText({
      product: "Klaro",
      sources: ["a.js"],
      disclaimer: "No advice.",
      lines,
      omitted: 3,
    });
    assert.equal(
      text,
      "Moving in from Klaro\nSources: a.js\n\nNo advice.\n\nDecide (2)\n\nWrite one.\n  - a[*].b (2 times)\n\n3 further lines were left out.\n",
    );
  });
});
