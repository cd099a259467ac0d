import type { Page } from "playwright-core";
import { type Appearance, limitsOfRecord } from "../record/result.ts";
import { toMeasuredColors } from "./colors.ts";
import { within } from "./within.ts";

const EVALUATE_MS = 3_000;
const SCREENSHOT_MS = 6_000;
/** JPEG qualities, tried in this order until the picture is small enough. */
const QUALITIES = [60, 30] as const;
const devices = {
  desktop: { width: 1_280, height: 800 },
  phone: { width: 390, height: 700 },
} as const;

/** A language tag (BCP 47) without extensions. */
const languagePattern = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/**
 * Runs in the page. It returns texts only, which are checked outside: the page can replace every function that this
 * script calls.
 */
const MEASURE = `(() => {
  const isClear = (color) => color === "transparent" || /, 0\\)$/.test(color);
  const areas = new Map();
  for (const one of [...document.querySelectorAll("button, [role=button], input[type=submit], a")].slice(0, 300)) {
    const { backgroundColor } = getComputedStyle(one);
    const { width, height } = one.getBoundingClientRect();
    if (isClear(backgroundColor) || width * height === 0 || width * height > 40000) continue;
    areas.set(backgroundColor, (areas.get(backgroundColor) ?? 0) + width * height);
  }
  const buttons = [...areas].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([color]) => color);
  const link = document.querySelector("main a, article a, p a, a");
  const grounds = [document.body, document.documentElement].map((one) => getComputedStyle(one).backgroundColor);
  const alternates = [...document.querySelectorAll("link[rel~=alternate][hreflang]")].slice(0, 60);
  const fallback = alternates.find((one) => one.hreflang.toLowerCase() === "x-default");
  return {
    background: grounds.find((color) => !isClear(color)) ?? "rgb(255, 255, 255)",
    text: getComputedStyle(document.querySelector("main p, p, main") ?? document.body).color,
    accents: [...buttons, ...(link ? [getComputedStyle(link).color] : [])],
    language: document.documentElement.lang,
    fallback: alternates.find((one) => one !== fallback && one.href === fallback?.href)?.hreflang ?? "",
    languages: alternates.map((one) => one.hreflang),
  };
})()`;

/** The languages, colors and pictures of a loaded page. A page that refuses an answer gets none. */
export async function readAppearance(page: Page): Promise<Appearance> {
  await within(EVALUATE_MS, page.evaluate("scrollTo(0, 0)"), undefined);
  const measured = toObject(await within(EVALUATE_MS, page.evaluate(MEASURE), undefined));
  const desktop = await takePicture(page, "desktop");
  const phone = await takePicture(page, "phone");
  await within(EVALUATE_MS, page.setViewportSize(devices.desktop), undefined);
  const [language] = toLanguages([measured["language"], measured["fallback"]]);
  return {
    language: language ?? null,
    languages: toLanguages([
      language,
      ...(Array.isArray(measured["languages"]) ? measured["languages"] : []),
    ]),
    colors: toMeasuredColors(measured),
    screenshots: { desktop, phone },
  };
}

/** A JPEG of the first screen as base64; null if it fails or stays too large. */
async function takePicture(page: Page, device: keyof typeof devices): Promise<string | null> {
  await within(EVALUATE_MS, page.setViewportSize(devices[device]), undefined);
  for (const quality of QUALITIES) {
    const taken = await within(
      SCREENSHOT_MS,
      page.screenshot({ type: "jpeg", quality, animations: "disabled", timeout: SCREENSHOT_MS }),
      undefined,
    );
    const text = taken?.toString("base64");
    if (text === undefined) return null;
    if (text.length <= limitsOfRecord.screenshot) return text;
  }
  return null;
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** The valid tags in their order, each once. */
function toLanguages(tags: readonly unknown[]): string[] {
  const valid = tags.filter(
    (tag): tag is string =>
      typeof tag === "string" && languagePattern.test(tag) && tag.toLowerCase() !== "x-default",
  );
  return [...new Set(valid.map((tag) => tag.toLowerCase()))].slice(0, limitsOfRecord.languages);
}
