import type { LiveProject } from "./store.ts";
import type { Language } from "./words.ts";

/** The fields of a configuration that the page uses. */
interface Configuration {
  identifier: string;
  title?: string;
  name?: string;
  language?: string;
  isDefault?: boolean;
  steps?: { vendors?: { name: string; title?: string }[] }[];
}

interface Content {
  cookies: Configuration[];
  processings: Configuration[];
  contracts: Configuration[];
  widget?: { theme?: Record<string, string> };
}

/** A configuration that visitors can answer. */
interface Question {
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  title: string;
  /** The titles of its vendors, by slug. */
  vendors: Record<string, string>;
  /** Whether the page shows this one, rather than one in another language. */
  isShown: boolean;
}

/** The parts of a project's live content that the page needs. */
export interface ShopContent {
  asked: Question[];
  /** The ids of the consent form and the contract form in the page's language, if any. */
  processing: string | undefined;
  contract: string | undefined;
  /** The project's main colour, and what is readable on it. */
  main: string | undefined;
  on: string | undefined;
}

/** Converts the live content for a page in `language`. */
export function toShopContent({ content: text }: LiveProject, language: Language): ShopContent {
  const content = JSON.parse(text) as Content;
  const shown = {
    cookies: choose(content.cookies, language),
    processings: choose(content.processings, language),
    contracts: choose(content.contracts, language),
  };
  const asked = (["cookies", "processings", "contracts"] as const).flatMap((collection) =>
    content[collection].map((one) => ({
      collection,
      identifier: one.identifier,
      title: one.title ?? one.name ?? one.identifier,
      vendors: listVendors(one),
      isShown: one === shown[collection],
    })),
  );
  const { main, on } = content.widget?.theme ?? {};
  const [processing, contract] = [shown.processings?.identifier, shown.contracts?.identifier];
  return { asked, processing, contract, main, on };
}

/** The first in a language, the default one, or the first. */
function choose(all: readonly Configuration[], language: string): Configuration | undefined {
  return (
    all.find((one) => one.language?.split("-", 1)[0]?.toLowerCase() === language) ??
    all.find(({ isDefault }) => isDefault) ??
    all[0]
  );
}

function listVendors({ steps = [] }: Configuration): Record<string, string> {
  const vendors = steps.flatMap((step) => step.vendors ?? []);
  return Object.fromEntries(vendors.map(({ name, title = name }) => [name, title]));
}
