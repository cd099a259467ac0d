import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type SiteSurroundings,
  checkSites,
  listSiteAddresses,
} from "../../packages/move-in/sites/check.ts";
import { createSites } from "../../packages/move-in/sites/create.ts";
import {
  ROWS_MAX,
  SiteTableError,
  readSiteTable,
  writeFailedSites,
} from "../../packages/move-in/sites/table.ts";

const nothing: SiteSurroundings = { organizations: [], templates: [], existing: [] };
const codeOf = (text: string): string => {
  try {
    readSiteTable(text);
  } catch (error) {
    assert.ok(error instanceof SiteTableError);
    assert.notEqual(error.message, "");
    return error.fault.code;
  }
  return "none";
};
const checkOf = (text: string, surroundings = nothing) =>
  checkSites(readSiteTable(text), surroundings);
const faultsOf = (text: string, surroundings = nothing) =>
  checkOf(text, surroundings).map(({ faults }) => faults.map(({ code }) => code));

describe("a table of sites", () => {
  for (const [name, text] of Object.entries({
    "commas and a byte order mark": "\uFEFFtitle,websiteURL\r\nA,a.example\r\n",
    semicolons: "title;websiteURL\nA;a.example",
    "tabs, other cases and another order": "WEBSITEURL\tTitle\r\na.example\tA",
    "empty lines and spaces": "\ntitle , websiteURL\n\n A ,a.example\n,\n",
  }))
    it(`is read with ${name}`, () => {
      const [row, ...others] = readSiteTable(text);
      assert.deepEqual(others, []);
      assert.deepEqual([row?.title, row?.websiteURL, row?.groups], ["A", "a.example", ""]);
    });

  it("has separators, line breaks and quotation marks within quotation marks, and the lines of rows", () => {
    const text = 'title,websiteURL,groups\n"A, ""B""\nC",a.example,"x;y"\nD,d.example\n';
    const [first, second] = readSiteTable(text);
    assert.deepEqual([first?.title, first?.groups, first?.line], ['A, "B"\nC', "x;y", 3]);
    assert.deepEqual([second?.title, second?.line], ["D", 4]);
  });

  for (const [code, text] of [
    ["empty", ""],
    ["empty", "title,websiteURL\n"],
    ["no address column", "title\nA"],
    ["unknown column", "title,websiteURL,colour\nA,a.example,red"],
    ["repeated column", "websiteURL,websiteURL\na.example,b.example"],
    ["too many cells", "title,websiteURL\nA,a.example,b"],
    ["not CSV", 'title,websiteURL\n"A,a.example\n'],
    ["not CSV", 'title,websiteURL\nA"B,a.example\n'],
    ["too long", "x".repeat(1024 * 1024 + 1)],
    ["too many rows", `websiteURL\n${"a.example\n".repeat(ROWS_MAX + 1)}`],
  ] as const)
    it(`is rejected as ${code}: ${JSON.stringify(text.slice(0, 50))}`, () => {
      assert.equal(codeOf(text), code);
    });

  it("is written with the reasons of failed rows, so that it can be corrected and read again", () => {
    const text = 'title,websiteURL,groups\n"A, B",a.example,"x;y"\n';
    const [row] = readSiteTable(text);
    assert.ok(row);
    const written = writeFailedSites([{ row, reason: 'It is "full".' }]);
    assert.equal(
      written,
      'title,websiteURL,groups,organization,template,reason\n"A, B",a.example,"x;y",,,"It is ""full""."\n',
    );
    const [again] = readSiteTable(written);
    assert.deepEqual([again?.title, again?.groups], [row.title, row.groups]);
  });

  it("is written without formulas, which a corrected table restores", () => {
    const [row] = readSiteTable(
      'title,websiteURL,groups\n＝cmd,"https://a/?q=1,=HYPERLINK(1)",x;=1\n',
    );
    assert.ok(row);
    const written = writeFailedSites([{ row, reason: "-" }]);
    assert.match(written, /\n'＝cmd,"https:\/\/a\/\?q=1,'=HYPERLINK\(1\)","x;'=1",,,'-\n$/);
    const [again] = readSiteTable(written);
    assert.deepEqual(again, row);
  });
});

describe("the rows of a table", () => {
  it("become projects, with the host as the title, groups, and ids for names", () => {
    const id = "0123456789abcdef01234567";
    const [first, second] = checkOf(
      "title,websiteURL,groups,organization,template\n,www.a.example,x|y,Hearth,BASE\nB,http://b.example/shop,,,abcdef0123456789abcdef01",
      { ...nothing, organizations: [{ id, name: "hearth" }], templates: [{ id, name: "Base" }] },
    );
    assert.deepEqual(first?.faults, []);
    assert.deepEqual(first?.site, {
      title: "a.example",
      websiteURL: "https://www.a.example",
      groups: ["x", "y"],
      organizationId: id,
      templateId: id,
    });
    assert.deepEqual(second?.site, {
      title: "B",
      websiteURL: "http://b.example/shop",
      templateId: "abcdef0123456789abcdef01",
    });
  });

  it("are invalid one by one", () => {
    const rows = [
      ",",
      "A,ftp://a.example",
      "A,localhost",
      "A,https://user@a.example",
      `${"x".repeat(201)},a.example`,
      "A,https://A.example/",
    ];
    assert.deepEqual(
      faultsOf(`title,websiteURL,groups\nB,b.example\n,,x\n${rows.slice(1).join("\n")}`),
      [
        [],
        ["address missing"],
        ["address invalid"],
        ["address invalid"],
        ["address invalid"],
        ["title too long"],
        ["repeated address"],
      ],
    );
    const two = [
      { id: "1", name: "Same" },
      { id: "2", name: "same" },
    ];
    const around = { ...nothing, organizations: two, templates: two };
    const table = "websiteURL,organization,template\na.example,Same,Other\nb.example,Other,Same";
    assert.deepEqual(faultsOf(table, around), [
      ["organization ambiguous", "template unknown"],
      ["organization unknown", "template ambiguous"],
    ]);
    const names = Array.from({ length: 21 }, (_, n) => n).join("|");
    assert.deepEqual(
      faultsOf(`websiteURL,groups\na.example,${names}\nb.example,${"x".repeat(61)}`),
      [["too many groups"], ["group too long"]],
    );
  });

  it("are compared with projects whatever the scheme, the case of the host and a final slash", () => {
    const existing = [{ id: "1", name: "A", websiteURL: "http://A.example/" }];
    const [row, other] = checkOf("websiteURL\na.example\na.example/shop", { ...nothing, existing });
    assert.deepEqual([row?.existing?.name, other?.existing], ["A", undefined]);
    assert.deepEqual(listSiteAddresses(readSiteTable("websiteURL\na.example\nA.example/")), [
      "https://a.example",
      "https://a.example/",
      "http://a.example",
      "http://a.example/",
    ]);
  });

  it("are created in order with keys of the table and the row; a failure stops no other, a signal all", async () => {
    const text = "websiteURL\na.example\nb.example\nc.example";
    const checked = checkOf(text);
    const run = async (stopAfter = 3) => {
      const keys: string[] = [];
      const results: string[] = [];
      const stopping = new AbortController();
      await createSites(text, checked, {
        signal: stopping.signal,
        create: async ({ title }, key) => {
          keys.push(key);
          if (title === "b.example") throw new Error("full");
          return title;
        },
        onResult: ({ kind, checked: { site } }) => {
          results.push(`${site.title} ${kind}`);
          if (results.length === stopAfter) stopping.abort();
        },
      });
      return { keys, results };
    };
    const [first, again, stopped] = [await run(), await run(), await run(1)];
    assert.deepEqual(first.results, ["a.example created", "b.example failed", "c.example created"]);
    assert.equal(new Set(first.keys).size, 3);
    assert.deepEqual(again.keys, first.keys);
    assert.deepEqual(stopped.results, ["a.example created"]);
  });
});
