// Renders reports as elements. A bundle's texts are inserted as text, never as markup.
import type { Bundle } from "../formats/bundle.ts";
import { type Check, type Report, type Verdict, toHeading } from "../checks/checks.ts";
import { describeBundle } from "../describe.ts";
import type { Words } from "../words/en.ts";

/** Maximum characters of a published file that are shown. All of it is checked. */
const SHOWN_MAX = 200_000;

function make(tag: string, className: string, ...inside: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...inside);
  return element;
}

/**
 * Replaces bidirectional control characters with their code points, since sentences can contain untrusted texts.
 */
export function toLine(text: string): string {
  return text.replaceAll(
    /\p{Bidi_Control}/gu,
    (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** Renders the report of one file. */
export function showReport(name: string, report: Report, words: Words): HTMLElement {
  const { verdict, checks, bundle } = report;
  const heading = make(
    "div",
    "",
    make("h3", "", toHeading(report, words)),
    make("p", "", toLine(name)),
  );
  const article = make(
    "article",
    "",
    make("div", `verdict ${verdict}`, makeSign(), heading),
    make("ul", "", ...checks.map((check) => showCheck(check, words))),
  );
  if (bundle && verdict !== "broken") article.append(...showBundle(bundle, words));
  return article;
}

function showCheck({ holds, says }: Check, { page }: Words): HTMLElement {
  const [verdict, meaning]: [Verdict, string] =
    holds === null ? ["open", page.open] : holds ? ["proven", page.holds] : ["broken", page.fails];
  const text = make("p", "", make("span", "hidden", `${meaning} `), toLine(says));
  return make("li", verdict, makeSign(), text);
}

function showBundle(bundle: Bundle, words: Words): HTMLElement[] {
  const { page } = words;
  const rows = describeBundle(bundle, words).flatMap(({ label, value, isKnown }) => [
    make("dt", "", toLine(label), ...(isKnown ? [] : [make("small", "", page.asIs)])),
    make("dd", "", toLine(value)),
  ]);
  const record = make("div", "part", make("h4", "", page.record), make("dl", "", ...rows));
  if (bundle.kind !== "consent" || !bundle.publication) return [record];
  const { content } = bundle.publication;
  const text = content.length > SHOWN_MAX ? `${content.slice(0, SHOWN_MAX)} …` : content;
  const summary = make("summary", "", page.shown);
  return [record, make("details", "part", summary, make("pre", "", text))];
}

function makeSign(): HTMLElement {
  const sign = make("span", "sign");
  sign.setAttribute("aria-hidden", "true");
  return sign;
}
