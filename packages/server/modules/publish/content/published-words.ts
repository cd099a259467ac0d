import {
  type Content,
  type PublishedCookies,
  VENDORS_SHOWN_MAX,
  vendorsOf,
} from "@avow/contract/published";
import { wordsOf } from "./words/words.ts";

/** The widget's texts in a language, without those that no configuration of the content shows. */
export function toPublishedWords(
  content: Content,
  language: string,
  hasTcf: boolean,
): Record<string, string> {
  const { cookies } = content;
  const words = wordsOf(language);
  const { toggleAll, alwaysOn, details, policy, ...banner } = words.banner;
  const vendors = cookies.flatMap((one) => [...vendorsOf(one).values()]);
  const hasBoxes = content.processings.length + content.contracts.length > 0;
  const hasStorage = vendors.some(({ storage }) => storage?.length);
  const hasPolicy = vendors.some(({ policyUrl }) => policyUrl) || hasTcf;
  const hasDetails =
    hasPolicy || hasStorage || vendors.some(({ longDescription }) => longDescription);
  return {
    ...(hasBoxes && words.boxes),
    ...banner,
    ...words.person,
    // Several categories are labelled by their titles.
    ...(cookies.some(({ steps = [] }) => steps.length === 1) && { toggleAll }),
    ...(vendors.some(({ required }) => required) && { alwaysOn }),
    ...(hasDetails && { details }),
    ...(hasPolicy && { policy }),
    ...(vendors.length > VENDORS_SHOWN_MAX && words.search),
    ...(hasStorage && words.storage),
    ...(cookies.some(({ regions }) => regions?.length) && words.regions),
    ...(cookies.some(({ imports }) => imports?.length) && words.imported),
    ...(cookies.some(hasPlaceholders) && words.embeds),
    ...(hasTcf && words.tcf),
  };
}

/** Whether held frames get placeholders: a setting decides, otherwise vendors that are asked for and have addresses. */
export function hasPlaceholders(cookies: PublishedCookies): boolean {
  const { placeholders } = cookies.settings ?? {};
  if (typeof placeholders === "boolean") return placeholders;
  return [...vendorsOf(cookies).values()].some(({ required, hosts }) => !required && hosts?.[0]);
}
