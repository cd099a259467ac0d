import { element } from "../banner/dom.ts";
import { toLink } from "../banner/html.ts";
import { toDuration } from "../texts/language.ts";
import type { TcfTerms, TcfVendor } from "@avow/contract/tcf";
import type { List } from "./list.ts";
import type { TcfView } from "./shown.ts";

const DAY_SECONDS = 86_400;

/** A vendor's declarations: purposes with their legal basis and retention, features, data categories, storage and links. */
export function toFacts({ list, say, language }: TcfView, vendor: TcfVendor): Node {
  const { texts } = list;
  const { dataRetention = {} } = vendor;
  const keptFor = (kept: Record<string, number> | undefined, id: number): string => {
    const days = kept?.[id] ?? dataRetention.stdRetention;
    return days === undefined ? "" : `(${toDuration(days, "day", language)})`;
  };
  const row = (
    label: string,
    terms: TcfTerms,
    ids: readonly number[],
    kept?: "purposes" | "specialPurposes",
  ) => {
    const named = ids.flatMap((id) => {
      const term = terms[id];
      return term ? [[term.name, kept ? keptFor(dataRetention[kept], id) : ""]] : [];
    });
    return toRow(say(label), named);
  };
  return element(
    "dl",
    {},
    ...row("tcfByConsent", texts.purposes, vendor.purposes, "purposes"),
    ...row("tcfByInterest", texts.purposes, vendor.legIntPurposes, "purposes"),
    ...row("tcfAlways", texts.specialPurposes, vendor.specialPurposes, "specialPurposes"),
    ...row("tcfFeatures", texts.features, vendor.features),
    ...row("tcfSpecialFeatures", texts.specialFeatures, vendor.specialFeatures),
    ...row("tcfData", texts.dataCategories, vendor.dataDeclaration ?? []),
    ...toRow(say("tcfCookies"), toStorage({ say, language }, vendor)),
    ...toLinks({ list, say }, vendor),
  );
}

/** A label and items, whose texts may be in different languages. */
function toRow(label: string, items: readonly (readonly string[])[]): Node[] {
  if (items.length === 0) return [];
  const shown = items.map(([text = "", kept]) =>
    element("dd", {}, element("bdi", {}, text), kept && " ", kept && element("bdi", {}, kept)),
  );
  return [element("dt", {}, label), ...shown];
}

function toStorage(
  { say, language }: Pick<TcfView, "say" | "language">,
  vendor: TcfVendor,
): string[][] {
  const { usesCookies, cookieMaxAgeSeconds, cookieRefresh, usesNonCookieAccess } = vendor;
  const days = Math.ceil((cookieMaxAgeSeconds ?? 0) / DAY_SECONDS);
  const lasting = days > 0 ? toDuration(days, "day", language) : say("tcfSession");
  return [
    ...(usesCookies ? [[cookieRefresh ? `${lasting}, ${say("tcfRefresh")}` : lasting]] : []),
    ...(usesNonCookieAccess ? [[say("tcfOther")]] : []),
  ];
}

function toLinks({ list, say }: Pick<TcfView, "list" | "say">, vendor: TcfVendor): Node[] {
  const urls = urlsOf(list, vendor);
  const links = [
    [urls?.privacy, say("policy")],
    [urls?.legIntClaim, say("tcfClaim")],
    [vendor.deviceStorageDisclosureUrl, say("tcfDisclosure")],
  ] as const;
  return links.flatMap(([url, label]) => (url ? [element("dd", {}, toLink(url, label))] : []));
}

function urlsOf({ language }: List, { urls = [] }: TcfVendor) {
  const spoken = [language, language.split("-", 1)[0], "en"];
  const found = spoken.map((tag) => urls.find(({ langId }) => langId.toLowerCase() === tag));
  return found.find(Boolean) ?? urls[0];
}
