import type { LiveProject } from "./store.ts";
import type { Language } from "./words.ts";

/** A configuration as far as the page tells of it. */
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

/** Something that visitors of the page are asked. */
interface Asked {
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  title: string;
  /** The titles of its vendors, by slug. */
  vendors: Record<string, string>;
  /** Whether it is what the page shows in its language, rather than in another one. */
  isShown: boolean;
}

/** What is live of a project, as far as the page has to know. */
export interface ShopContent {
  asked: Asked[];
  /** The boxes of the page in its language, where there are any. */
  processing: string | undefined;
  contract: string | undefined;
  /** The project's main colour, and what is readable on it. */
  main: string | undefined;
  on: string | undefined;
}

/** Reads what is live for a page in `language`. */
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
