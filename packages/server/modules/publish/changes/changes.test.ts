import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applyPatch } from "rfc6902";
import type { Content } from "@avow/contract/published";
import { type Change, listChanges } from "./changes.ts";

const id = (digit: string): string => digit.repeat(24);
const imprint = { publishedAt: "2026-01-02T03:04:05.678Z", version: 1, jobId: id("b") };

function toContent(parts: Partial<Content> = {}): Content {
  return {
    ...imprint,
    projectId: id("a"),
    projectName: "Shop",
    shadowRoot: true,
    client: { colors: {}, fonts: {}, widgetStyle: {}, overlayStyle: {}, DPO: {} },
    privacypolicy: {},
    dpo: {},
    contractsV2: [],
    portability: [],
    contracts: [],
    processings: [],
    cookies: [],
    ...parts,
  };
}

const toConfiguration = (fields: object, digit = "c") => ({
  identifier: id(digit),
  projectId: id("a"),
  title: "Banner",
  ...fields,
});
const banner = (steps: object[], more: object = {}): Content =>
  toContent({ cookies: [toConfiguration({ steps, ...more })] });
const step = (name: string, more: object = {}) => ({
  name,
  title: name.toUpperCase(),
  layout: "category",
  ...more,
});
const vendor = (name: string, more: object = {}) => ({ name, title: `V ${name}`, ...more });

function messagesOf(before: Content, after: Content): string[] {
  return listChanges(before, after).changes.map((one) => one.message);
}

function only(before: Content, after: Content): Change {
  const { changes } = listChanges(before, after);
  assert.equal(changes.length, 1, JSON.stringify(changes));
  return changes[0] as Change;
}

describe("comparing steps by name", () => {
  const [a, b, c] = [step("a"), step("b"), step("c")];

  it("lists a step that is added first as one change", () => {
    const change = only(banner([a, b, c]), banner([step("z"), a, b, c]));
    assert.deepEqual(
      { ...change, configuration: undefined },
      {
        class: "settings",
        kind: "new",
        path: "/cookies/0/steps/0",
        message: "The step “Z” is new.",
        about: ["Z"],
        asks: "nobody",
        configuration: undefined,
        item: { type: "step", id: "z", name: "Z" },
      },
    );
    assert.deepEqual(change.configuration, {
      collection: "cookies",
      identifier: id("c"),
      name: "Banner",
    });
  });

  it("locates a removed step in the earlier version", () => {
    const change = only(banner([a, b, c]), banner([a, c]));
    assert.deepEqual(
      [change.kind, change.path, change.message],
      ["removed", "/cookies/0/steps/1", "The step “B” was removed."],
    );
  });

  it("lists a moved step with its old and new position, and no other step", () => {
    const change = only(banner([a, b, c]), banner([c, a, b]));
    assert.deepEqual(
      [change.kind, change.before, change.after],
      ["moved", { type: "position", text: "3" }, { type: "position", text: "1" }],
    );
    assert.equal(change.message, "The step “C” moved from 3 to 1.");
  });

  it("recognizes a renamed step by its contents or its title", () => {
    const [first, second] = [
      only(banner([a, b]), banner([{ ...a, name: "x" }, b])),
      listChanges(banner([a, b]), banner([{ ...a, name: "x", layout: "info" }, b])).changes,
    ];
    assert.deepEqual([first.field, first.before?.text, first.after?.text], ["name", "a", "x"]);
    assert.deepEqual(
      second.map(({ kind, field }) => [kind, field]),
      [
        ["changed", "name"],
        ["changed", "layout"],
      ],
    );
  });

  it("pairs the equal one of two steps with the same name, whichever is removed", () => {
    const twin = step("a", { title: "Twin" });
    const change = only(banner([a, twin]), banner([twin]));
    assert.deepEqual(
      [change.kind, change.item?.name, change.path],
      ["removed", "A", "/cookies/0/steps/0"],
    );
    const moved = only(banner([a, twin]), banner([twin, a]));
    assert.equal(moved.kind, "moved");
  });

  it("lists each moved step of five hundred in reverse order once", () => {
    const all = Array.from({ length: 500 }, (_, at) => step(`s${at}`));
    const { changes, count } = listChanges(banner(all), banner(all.toReversed()));
    assert.deepEqual([changes.length, count], [499, 499]);
    assert.ok(changes.every(({ kind }) => kind === "moved"));
    const inserted = only(
      banner(all),
      banner([...all.slice(0, 250), step("new"), ...all.slice(250)]),
    );
    assert.equal(inserted.path, "/cookies/0/steps/250");
  });
});

describe("comparing vendors by slug", () => {
  const [x, y, z] = [vendor("x"), vendor("y"), vendor("z")];
  const two = (first: object[], second: object[]): Content =>
    banner([step("a", { vendors: first }), step("b", { vendors: second })]);

  it("lists each added and removed vendor once, with the people it asks", () => {
    const { changes } = listChanges(two([x], [y]), two([z, x], []));
    assert.deepEqual(
      changes.map((one) => [one.class, one.kind, one.asks, one.item?.id, one.item?.within]),
      [
        ["new-vendor", "new", "first", "z", "A"],
        ["removed-vendor", "removed", "nobody", "y", "B"],
      ],
    );
  });

  it("lists a vendor in a different step as moved", () => {
    const change = only(two([x, y], [z]), two([x], [y, z]));
    assert.deepEqual(
      [change.kind, change.before, change.after],
      ["moved", { type: "step", text: "A" }, { type: "step", text: "B" }],
    );
    assert.equal(change.message, "The vendor “V y” moved from “A” to “B”.");
  });

  it("lists no moved vendor when its step was moved or renamed", () => {
    const [a, b] = [step("a", { vendors: [x, y] }), step("b", { vendors: [z] })];
    assert.deepEqual(messagesOf(banner([a, b]), banner([b, a])), [
      "The step “B” moved from 2 to 1.",
    ]);
    assert.deepEqual(messagesOf(banner([a, b]), banner([{ ...a, name: "q" }, b])), [
      "The step “A”: “Name” changed: “a” → “q”.",
    ]);
  });

  it("lists a second copy of a vendor as an added or removed copy, not as a new vendor", () => {
    const [added, removed] = [
      only(two([x], [y]), two([x], [y, x])),
      only(two([x], [y, x]), two([], [y, x])),
    ];
    assert.deepEqual(
      [added.class, added.kind, added.path],
      ["settings", "new", "/cookies/0/steps/1/vendors/1"],
    );
    assert.deepEqual(
      [removed.class, removed.kind, removed.path],
      ["settings", "removed", "/cookies/0/steps/0/vendors/0"],
    );
  });

  it("lists a changed purpose once, with both purposes, and asks again", () => {
    const change = only(
      two([{ ...x, type: "statistics" }], []),
      two([{ ...x, type: "advertising" }], []),
    );
    assert.deepEqual([change.class, change.asks, change.field], ["new-purpose", "again", "type"]);
    assert.equal(change.message, "“V x” has a different purpose: “statistics” → “advertising”.");
    assert.equal(change.path, "/cookies/0");
  });

  it("also lists changes that do not ask for more", () => {
    const box = (fields: object): Content =>
      toContent({ processings: [toConfiguration({ ...fields })] });
    const { changes } = listChanges(
      box({ purpose: "News", storageDuration: 24, personalDataTypes: ["email"] }),
      box({ purpose: "Ads", storageDuration: 12, personalDataTypes: ["email", "name"] }),
    );
    assert.deepEqual(
      changes.map((one) => [one.class, one.field, one.before?.text, one.after?.text]),
      [
        ["new-purpose", "purpose", "News", "Ads"],
        ["more-data", "personalDataTypes", undefined, "name"],
        ["settings", "storageDuration", "24", "12"],
      ],
    );
  });

  it("names new recipients", () => {
    const box = (...names: string[]): Content =>
      toContent({
        processings: [toConfiguration({ processors: names.map((name) => ({ name })) })],
      });
    const change = only(box("Mailer"), box("Broker", "Mailer", "Printer"));
    assert.deepEqual(
      [change.class, change.field, change.after],
      ["new-recipient", "processors", { type: "list", text: "Broker, Printer" }],
    );
  });
});

describe("values of changes", () => {
  const fields = (one: object, other: object): Change => only(banner([], one), banner([], other));

  it("have types for colors, switches and numbers", () => {
    const style = (client: object): Content =>
      toContent({ client: { ...toContent().client, ...client } });
    const color = only(style({ colors: { main: "#fff" } }), style({ colors: { main: "navy" } }));
    assert.deepEqual(
      [color.class, color.field, color.before, color.after],
      ["design", "colors.main", { type: "color", text: "#fff" }, { type: "color", text: "navy" }],
    );
    assert.equal(color.message, "“Buttons” changed: #fff → navy.");
    assert.deepEqual(fields({ isDefault: false }, { isDefault: true }).after, {
      type: "switch",
      text: "on",
    });
    const days = fields({}, { settings: { expiresAfterDays: 180 } });
    assert.deepEqual(
      [days.kind, days.field, days.after],
      ["new", "settings.expiresAfterDays", { type: "number", text: "180" }],
    );
    assert.equal(days.message, "“Banner”: “Ask again after (days)” is new: 180.");
  });

  it("show the changed words of a text with a little context", () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`);
    const { before, after } = fields(
      { subTitle: words.join(" ") },
      { subTitle: words.with(100, "naïve").join(" ") },
    );
    assert.deepEqual(before?.parts, [
      "…word96 word97 word98 word99 ",
      "word100",
      " word101 word102 word103…",
    ]);
    assert.deepEqual(after?.parts?.[1], "naïve");
    assert.deepEqual([before?.count, after?.count], [200, 200]);
  });

  it("have a limited length and never split a character", () => {
    for (const one of ["👩‍👩‍👧‍👦", "漢", "e\u0301", "😀", "<", "a b ", "é"]) {
      const long = one.repeat(5_000);
      const change = fields({ subTitle: long }, { subTitle: `${long}${one}x` });
      const fresh = fields({}, { subTitle: long });
      for (const value of [change.before, change.after, fresh.after]) {
        const text = value?.text ?? "";
        assert.ok(text.length <= 220 && text.length > 0, `${one} ${text.length}`);
        assert.ok(text.isWellFormed(), one);
        assert.doesNotMatch(text, /^…?[\p{M}\u200d]|\u200d…/u, one);
      }
    }
  });

  it("show the text of HTML, or its tags if only they differ", () => {
    const change = fields(
      { message: "<p>Tom &amp; Jo</p>" },
      { message: "<p>Tom &amp; <b>Ann</b></p>" },
    );
    assert.deepEqual([change.before?.text, change.after?.text], ["Tom & Jo", "Tom & Ann"]);
    const tags = fields({ message: "<b>Yes</b>" }, { message: "<i>Yes</i>" });
    assert.deepEqual([tags.before?.text, tags.after?.text], ["<b>Yes</b>", "<i>Yes</i>"]);
  });

  it("label the widget's default texts by their words in the banner's language", () => {
    const change = fields(
      { language: "fr", strings: {} },
      { language: "fr", strings: { save: "OK" } },
    );
    assert.deepEqual([change.label, change.field], ["Enregistrer mes choix", "strings.save"]);
    assert.equal(change.message, "“Banner”: “Enregistrer mes choix” is new: “OK”.");
  });

  it("ignore differences between empty values", () => {
    const { changes } = listChanges(
      banner([], { subTitle: "" }),
      banner([], { subTitle: null, strings: {}, steps: [] }),
    );
    assert.deepEqual(changes, []);
  });
});

describe("the changes of a version", () => {
  it("are at most five hundred, those that ask for more first, and are all counted", () => {
    const all = Array.from({ length: 600 }, (_, at) => vendor(`v${at}`));
    const after = all.map((one, at) => ({
      ...one,
      shortDescription: "x",
      ...(at === 599 && { type: "ads" }),
    }));
    const { changes, count, classes, truncated } = listChanges(
      banner([step("a", { vendors: all })]),
      banner([step("a", { vendors: after })]),
    );
    assert.deepEqual([changes.length, count, truncated], [500, 601, true]);
    assert.deepEqual(classes, ["new-purpose", "wording"]);
    assert.equal(changes[0]?.class, "new-purpose");
  });

  it("list everything of the first version as new, and patch one version to another by operations", () => {
    const after = banner([step("a", { vendors: [vendor("x")] })]);
    const { changes } = listChanges(undefined, after);
    assert.deepEqual(
      changes.map((one) => [one.class, one.kind, one.asks]),
      [
        ["new-configuration", "new", "nobody"],
        ["new-vendor", "new", "first"],
      ],
    );
    const before = banner([step("b"), step("c")]);
    const patched = structuredClone(before);
    applyPatch(patched, listChanges(before, after).operations);
    assert.deepEqual(patched, after);
  });

  it("include configurations without offers, and the responsible organization", () => {
    const after = toContent({
      contractsV2: [toConfiguration({ title: "Terms" })],
      client: { ...toContent().client, DPO: { organization: "Shop Ltd" } },
    });
    assert.deepEqual(messagesOf(toContent(), after), [
      "“Terms” is new.",
      "“Organization” is new: “Shop Ltd”.",
    ]);
    assert.deepEqual(
      listChanges(after, toContent()).changes.map((one) => [one.class, one.kind]),
      [
        ["removed-configuration", "removed"],
        ["fewer-safeguards", "removed"],
        ["new-controller", "removed"],
      ],
    );
  });

  it("pair configurations by their identifiers in any order", () => {
    const [one, other] = [
      toConfiguration({ title: "One", subTitle: "x" }, "1"),
      toConfiguration({ title: "Other" }, "2"),
    ];
    const change = only(
      toContent({ contracts: [one] }),
      toContent({ contracts: [other, { ...one, subTitle: "y" }].slice(1) }),
    );
    assert.equal(change.message, "“One”: “Line below the title” changed: “x” → “y”.");
    const { changes } = listChanges(
      toContent({ contracts: [one] }),
      toContent({ contracts: [other, one] }),
    );
    assert.deepEqual(
      changes.map(({ message }) => message),
      ["“Other” is new."],
    );
  });

  it("escape members as JSON pointers do", () => {
    const change = only(banner([], { strings: {} }), banner([], { strings: { "a/b~c": "x" } }));
    assert.equal(change.path, "/cookies/0/strings/a~1b~0c");
  });
});
