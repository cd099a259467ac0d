import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withWidget } from "../widget-content.ts";
import { toContent } from "../content.ts";
import { type WidgetLanguage, findLanguage, widgetLanguages } from "./languages.ts";
import { wordsOf } from "./words.ts";

const LABEL_LENGTH_MAX = 28;
const LINK_LENGTH_MAX = 60;
const LINE_LENGTH_MAX = 90;
const TEXT_LENGTH_MAX = 260;
/** The longer of two buttons that are equal choices, by the length of the shorter one. */
const RATIO_MAX = 1.8;

/** A sentence in a box that may have several lines. */
const SENTENCE_LENGTH_MAX = 180;

/** Maximum lengths by name; other texts have one of a line. */
const lengthsMax = new Map(
  Object.entries({
    acceptAll: LABEL_LENGTH_MAX,
    refuseAll: LABEL_LENGTH_MAX,
    choose: LABEL_LENGTH_MAX,
    save: LABEL_LENGTH_MAX,
    close: LABEL_LENGTH_MAX,
    accept: LABEL_LENGTH_MAX,
    refuse: LABEL_LENGTH_MAX,
    ok: LABEL_LENGTH_MAX,
    settings: LINK_LENGTH_MAX,
    receipts: LINK_LENGTH_MAX,
    withdraw: LINK_LENGTH_MAX,
    change: LINK_LENGTH_MAX,
    doNotSell: LINK_LENGTH_MAX,
    embedText: SENTENCE_LENGTH_MAX,
    limitSensitive: LINK_LENGTH_MAX,
    optedOut: TEXT_LENGTH_MAX,
    tcfIntro: TEXT_LENGTH_MAX,
    tcfInterest: TEXT_LENGTH_MAX,
    tcfScope: TEXT_LENGTH_MAX,
  }),
);

/** Texts that are the same in English, by name. */
const sameAsEnglish: Readonly<Record<string, readonly WidgetLanguage[]>> = {
  details: ["de", "nl"],
  services: ["fr"],
  tcfCount: ["nl"],
};
/** The same in most languages with Latin letters, and in more. */
const INTERNATIONAL = "OK";

const english = flatten("en");

/** Each text of a language with its group and name. */
function flatten(language: string): Map<string, string> {
  return new Map(
    Object.entries(wordsOf(language)).flatMap(([group, texts]) =>
      Object.entries(texts).map(([name, text]): [string, string] => [`${group}.${name}`, text]),
    ),
  );
}

const nameOf = (key: string): string => key.split(".")[1] ?? "";

/** Counts what a reader sees: vowels of some scripts are marks on their letters. */
const countLetters = (text: string): number => [...new Intl.Segmenter().segment(text)].length;

describe("the widget's texts", () => {
  for (const language of widgetLanguages) {
    const texts = flatten(language);

    it(`are complete and clean in ${language}, with the placeholders of English`, () => {
      assert.deepEqual([...texts.keys()], [...english.keys()]);
      for (const [key, text] of texts) {
        assert.equal(text, text.trim(), key);
        assert.equal(text, text.normalize("NFC"), key);
        assert.doesNotMatch(text, /\S {2}|['"]|\.\.\.|[<>&]|\p{Cc}/u, key);
        const listPlaceholders = (one = "") => one.match(/\{.*?\}/g)?.toSorted();
        assert.deepEqual(listPlaceholders(text), listPlaceholders(english.get(key)), key);
      }
    });

    it(`are of limited length in ${language}, and as long to refuse as to accept`, () => {
      for (const [key, text] of texts) {
        const length = countLetters(text);
        assert.ok(
          length > 0 && length <= (lengthsMax.get(nameOf(key)) ?? LINE_LENGTH_MAX),
          `${key}: ${length}`,
        );
      }
      const { acceptAll, refuseAll } = wordsOf(language).banner;
      const lengths = [acceptAll, refuseAll].map(countLetters).toSorted((a, b) => a - b);
      assert.ok((lengths[1] ?? 0) / (lengths[0] ?? 1) <= RATIO_MAX, `${acceptAll}, ${refuseAll}`);
    });

    it(`have different texts for different answers in ${language}`, () => {
      const { banner, boxes } = wordsOf(language);
      for (const group of [
        [banner.acceptAll, banner.refuseAll, banner.choose, banner.save, banner.close],
        [boxes.accept, boxes.refuse, boxes.withdraw, boxes.change],
        [boxes.accepted, boxes.refused, boxes.withdrawn],
      ])
        assert.equal(new Set(group).size, group.length, group.join(", "));
    });

    if (language !== "en")
      it(`are translated in ${language}`, () => {
        const same = [...texts].filter(
          ([key, text]) => text === english.get(key) && text !== INTERNATIONAL,
        );
        const allowed = Object.keys(sameAsEnglish).filter((name) =>
          sameAsEnglish[name]?.includes(language),
        );
        const names = new Set(same.map(([key]) => nameOf(key)));
        assert.deepEqual([...names].toSorted(), allowed.toSorted());
      });
  }

  it("are found by language tag, with fallbacks", () => {
    const tags: [string, WidgetLanguage | undefined][] = [
      ["de-AT", "de"],
      ["EN-gb", "en"],
      ["pt", "pt"],
      ["pt-PT", "pt"],
      ["pt-AO", "pt"],
      ["pt-BR", "pt-BR"],
      ["pt-br", "pt-BR"],
      ["zh", "zh"],
      ["zh-CN", "zh"],
      ["zh-Hans-HK", "zh"],
      ["zh-Hant", "zh-Hant"],
      ["zh-Hant-HK", "zh-Hant"],
      ["zh-TW", "zh-Hant"],
      ["zh-HK", "zh-Hant"],
      ["no", "nb"],
      ["nn-NO", "nb"],
      ["nb-NO", "nb"],
      ["is", undefined],
      ["none", undefined],
      ["", undefined],
    ];
    for (const [tag, language] of tags) {
      assert.equal(findLanguage(tag), language, tag);
      assert.deepEqual(wordsOf(tag), wordsOf(language ?? "en"), tag);
    }
    for (const language of widgetLanguages) assert.equal(findLanguage(language), language);
  });

  it("are published with the direction of their script", () => {
    const configurations = widgetLanguages.map((language) => ({
      id: language,
      resource: "cookies",
      body: { language },
    }));
    const imprint = { publishedAt: "2026-01-02T03:04:05.678Z", version: 1, jobId: "" };
    const content = toContent(
      { id: "", body: { title: "", websiteURL: "" } },
      configurations,
      imprint,
    );
    const { widget } = withWidget(content, { hash: "", tcf: undefined, offers: [] });
    const published = Object.entries(widget?.words ?? {});
    assert.deepEqual(
      published.map(([language]) => language).toSorted(),
      widgetLanguages.toSorted(),
    );
    const rightToLeft = published.filter(([, { dir }]) => dir === "rtl");
    assert.deepEqual(rightToLeft.map(([language]) => language).toSorted(), ["ar", "ur"]);
    for (const [language, { acceptAll }] of published)
      assert.equal(acceptAll, wordsOf(language).banner.acceptAll);
  });
});
