import type { StoredItem } from "@avow/contract/configuration";
import { toAddress, toFields, toReportedText } from "../mapping/fields.ts";
import {
  type ForeignConfiguration,
  type ForeignText,
  getOrAdd,
  newCategory,
  newConfiguration,
  newService,
  setText,
} from "../mapping/foreign.ts";
import { listLinks, toPlainText } from "../mapping/plain-text.ts";
import { type Plain, isPlainList } from "../mapping/plain.ts";
import type { Report } from "../mapping/report.ts";
import { toStoredItem } from "./cookie-names.ts";
import { type Product, type Source, listMatches } from "./product.ts";

/**
 * Cookiebot: `cc.js` of the domain group, which `uc.js` loads. It assigns the lists of cookies, and passes the texts to
 * `new CookieControl.Dialog`.
 */
export const cookiebot: Product = {
  tool: "cookiebot",
  marks: /consent\.cookiebot\.(?:com|eu)|data-cbid/i,
  whereToFind: "Cookiebot: the file cc.js that the site loads from consent.cookiebot.com.",
  isOurs: ({ script }) =>
    script?.assigned.some(({ name }) => name.startsWith("CookieConsentDialog.")) === true,
  read: readCookiebot,
  findFiles({ html, url }) {
    const [id] = [
      ...listMatches(html, /data-cbid\s*=\s*["']([\da-f-]{36})["']/gi),
      ...listMatches(html, /cookiebot\.(?:com|eu)\/(?:uc\.js\?cbid=)?([\da-f-]{36})/gi),
    ];
    const host = URL.parse(url ?? "")?.hostname;
    if (id === undefined || host === undefined) return [];
    return [
      `https://consent.cookiebot.com/${id}/cc.js?renew=false&referer=${host}&dnt=false&init=false`,
    ];
  },
};

const ROWS_MAX = 500;
const TEXT_LENGTH_MAX = 20_000;
/** Columns of a row of a cookie table. */
const NAME = 0;
const DOMAIN = 1;
const PURPOSE = 2;
const EXPIRY = 3;
const KIND = 5;
const PROVIDER = 7;

const kinds: Readonly<Record<string, StoredItem["kind"]>> = {
  1: "cookie",
  2: "localStorage",
};

/** Categories by the ending of the names in `cc.js`, with the names of stored answers. */
const categories = {
  Necessary: "necessary",
  Preference: "preferences",
  Statistics: "statistics",
  Advertising: "marketing",
  Unclassified: "unclassified",
} as const;

/** Positions of the texts among the arguments of `CookieControl.Dialog`. */
const dialogTexts: Readonly<Record<number, ForeignText>> = {
  2: "title",
  3: "message",
  4: "acceptAll",
  5: "refuseAll",
  18: "acceptAll",
  19: "save",
  23: "choose",
};
const LANGUAGE_ARGUMENT = 10;

function readCookiebot({ inputs, report, site }: Source): ForeignConfiguration {
  const configuration = newConfiguration("cookiebot", site);
  for (const { script } of inputs) {
    if (!script) continue;
    const find = (name: string): Plain =>
      script.assigned.findLast((one) => one.name === name)?.read(report) ?? null;
    const toText = (value: Plain, path: string): string | undefined =>
      typeof value === "string"
        ? toReportedText(value, { lengthMax: TEXT_LENGTH_MAX, path, report }) || undefined
        : undefined;
    const text = (name: string): string | undefined =>
      toText(find(`CookieConsentDialog.${name}`), `CookieConsentDialog.${name}`);
    const passed = script.passed.filter(({ name }) => name === "CookieControl.Dialog");
    const argument = (index: number): Plain =>
      passed.find((one) => one.index === index)?.read(report) ?? null;
    const language = toLanguage(argument(LANGUAGE_ARGUMENT) ?? find("CookieConsent.userCulture"));
    configuration.defaultLanguage ??= language;
    for (const [index, name] of Object.entries(dialogTexts))
      setText(
        configuration.texts[name],
        language,
        toText(argument(Number(index)), `CookieControl.Dialog, argument ${index}`),
      );
    for (const [ending, id] of Object.entries(categories)) {
      const name = `CookieConsentDialog.cookieTable${ending}`;
      const rows = find(name);
      const title = text(`cookieHeaderType${ending}`);
      const index = Object.keys(categories).indexOf(ending);
      const description = toText(
        argument(12 + index),
        `CookieControl.Dialog, argument ${12 + index}`,
      );
      if (!isPlainList(rows)) {
        if (rows !== null) report.add("invalid", name, "Expected a list of cookies.");
        continue;
      }
      if (id === "unclassified") {
        if (rows.length > 0)
          report.add(
            "decide",
            name,
            `${rows.length} cookies had no category. Give each to a vendor.`,
          );
        continue;
      }
      const category = getOrAdd(configuration.categories, id, (one) =>
        newCategory(one, id === "necessary"),
      );
      setText(category.title, language, title);
      setText(category.description, language, description);
      if (rows.length > ROWS_MAX)
        report.add(
          "not mapped",
          `${name}[${ROWS_MAX}]`,
          `Only ${ROWS_MAX} cookies of a category are read, of ${rows.length}.`,
        );
      for (const [at, row] of rows.slice(0, ROWS_MAX).entries())
        readRow(row, { category, path: `${name}[${at}]`, report });
    }
    reportSettings(find, report);
    const lifetime = find("CookieConsent.consentLifetime");
    if (typeof lifetime === "number" && lifetime > 0)
      configuration.expiresAfterDays = Math.round((lifetime * 365) / 12);
  }
  return configuration;
}

function readRow(
  row: Plain,
  {
    category,
    path,
    report,
  }: { category: ForeignConfiguration["categories"][number]; path: string; report: Report },
): void {
  if (!isPlainList(row)) return report.add("invalid", path, "Expected a row of a cookie table.");
  const cell = (index: number): string => {
    const value = row[index];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const toCellText = (html: string, lengthMax: number): string =>
    toReportedText(html, { lengthMax, path, report });
  const provider = toCellText(cell(PROVIDER).split("<br/>")[0] ?? "", 200);
  const [domain = ""] = cell(DOMAIN).split("<br/>");
  const [link] = listLinks(cell(PROVIDER) + cell(DOMAIN));
  const host = toPlainText(domain, 253)
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "");
  const id = provider || host;
  const kind = kinds[cell(KIND)];
  const item = toStoredItem({
    name: toCellText(cell(NAME), 256).replace(/#$/, "*"),
    ...(kind && { kind }),
    purpose: toCellText(cell(PURPOSE), 1_000),
    duration: toCellText(cell(EXPIRY), 200),
    provider: id,
  });
  if (!item || id === "") return report.add("invalid", path, "The row has no name or no provider.");
  const service = getOrAdd(category.services, id, newService);
  setText(service.title, "", id);
  service.provider = id;
  service.policyUrl ??= toAddress(link?.url ?? (/^https?:/.test(domain) ? domain : ""), undefined);
  if (/^[\w-]+(\.[\w-]+)+$/.test(host) && !service.hosts.includes(host)) service.hosts.push(host);
  if (kind) service.storage.push(item);
  else
    report.add(
      "not mapped",
      path,
      "A pixel or another kind of tracker: Avow declares stored items only.",
    );
}

function reportSettings(find: (name: string) => Plain, report: Report): void {
  const prechecked = ["preferences", "statistics", "marketing"];
  for (const name of prechecked)
    if (find(`CookieConsentDialog.prechecked.${name}`) === true)
      report.add(
        "changed",
        `CookieConsentDialog.prechecked.${name}`,
        "Avow preselects no category.",
      );
  for (const name of ["impliedConsentOnScroll", "impliedConsentOnRefresh"])
    if (find(`CookieConsentDialog.${name}`) === true)
      report.add(
        "changed",
        `CookieConsentDialog.${name}`,
        "Scrolling and reloading are no consent in Avow.",
      );
  const mode = find("CookieConsent.responseMode");
  if (typeof mode === "string" && mode !== "optin" && mode !== "leveloptin")
    report.add(
      "decide",
      "CookieConsent.responseMode",
      `The old model is ${mode}; proposed as opt-in.`,
    );
  const vendors = toFields(
    find("CookieConsentDialog.IABSettings"),
    "CookieConsentDialog.IABSettings",
    report,
  );
  if (Object.keys(vendors.values).length > 0)
    report.add("not mapped", vendors.path, "IAB TCF: set it up in Avow's TCF settings.");
  const colors = "CookieConsentDialog.customColors.background";
  if (find(colors) !== null)
    report.add("not mapped", colors, "Colours: choose them in Avow's design.");
}

function toLanguage(value: Plain): string {
  return typeof value === "string" && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value)
    ? value
    : "";
}
