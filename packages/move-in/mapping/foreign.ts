import type { RegionRule, StoredItem } from "@avow/contract/configuration";
import type { ConsentTool } from "@avow/contract/consent-tools";

/** Plain texts by language tag. The key `""` stands for every language without a text of its own. */
export type Localized = Map<string, string>;

/** The texts of the banner, by their names in Avow. */
export type ForeignText =
  | "title"
  | "message"
  | "acceptAll"
  | "refuseAll"
  | "choose"
  | "save"
  | "close"
  | "alwaysOn"
  | "settings";

interface ForeignLink {
  text: string;
  url: string;
  /** The language that shows the link; undefined for all. */
  language?: string | undefined;
}

/** A service that the old banner asks for, alone or with its category. */
export interface ForeignService {
  /** Its name in the old product, which also names it in stored answers. */
  id: string;
  title: Localized;
  description: Localized;
  isRequired?: boolean | undefined;
  provider?: string | undefined;
  policyUrl?: string | undefined;
  hosts: string[];
  storage: StoredItem[];
}

export interface ForeignCategory {
  id: string;
  title: Localized;
  description: Localized;
  isRequired: boolean;
  services: ForeignService[];
  /** Cookies of the category that no service is named for. */
  storage: StoredItem[];
}

/** The configuration of another product, as far as Avow has a place for it. All texts are plain. */
export interface ForeignConfiguration {
  tool: ConsentTool;
  site?: string | undefined;
  name?: string | undefined;
  defaultLanguage?: string | undefined;
  texts: Record<ForeignText, Localized>;
  links: ForeignLink[];
  categories: ForeignCategory[];
  expiresAfterDays?: number | undefined;
  /** A position of Avow's design. */
  position?: string | undefined;
  /** The corner of the button that reopens the choices; false if there is none. */
  launcher?: string | false | undefined;
  colors: { main?: string; background?: string; text?: string; title?: string };
  regions: RegionRule[];
  /** The cookie of the old product's answers, if it is not its default. */
  cookieName?: string | undefined;
}

export function newConfiguration(
  tool: ConsentTool,
  site: string | undefined,
): ForeignConfiguration {
  return {
    tool,
    site,
    texts: {
      title: new Map(),
      message: new Map(),
      acceptAll: new Map(),
      refuseAll: new Map(),
      choose: new Map(),
      save: new Map(),
      close: new Map(),
      alwaysOn: new Map(),
      settings: new Map(),
    },
    links: [],
    categories: [],
    colors: {},
    regions: [],
  };
}

export function newCategory(id: string, isRequired = false): ForeignCategory {
  return { id, title: new Map(), description: new Map(), isRequired, services: [], storage: [] };
}

export function newService(id: string): ForeignService {
  return { id, title: new Map(), description: new Map(), hosts: [], storage: [] };
}

/** Sets the text of a language, unless there is none. */
export function setText(texts: Localized, language: string, text: string | undefined): void {
  if (text !== undefined && text !== "") texts.set(language, text);
}

/** The category or service of this id, which is added if it is new. */
export function getOrAdd<T extends { id: string }>(
  list: T[],
  id: string,
  create: (id: string) => T,
): T {
  const found = list.find((one) => one.id === id);
  if (found) return found;
  const added = create(id);
  list.push(added);
  return added;
}
