import type { Emit } from "./avow.ts";
import type { Answer, Iab } from "./banner.ts";
import type { Choices, MoreAnswered } from "./choices.ts";
import type { Service } from "./service.ts";
import type { Cookies, Site, Wanted } from "./site.ts";

/** What the widget's other files are given. */
export interface Context {
  site: Site;
  service: Service;
  choices: Choices;
  wanted: Wanted;
  emit: Emit;
}

/** The layout `iab`: IAB TCF. */
export interface Tcf extends Iab {
  /** Whether nothing was answered, or it does not hold any more. */
  isPending(): boolean;
  /** Reads anew what is remembered, and tells tags. */
  refresh(): void;
  /** What the banner was closed with, as a TC string, which tags read from now on; undefined when nothing was answered. */
  answer(answer: Answer): MoreAnswered | undefined;
}

/** The consent boxes and contract boxes of the page. */
export interface Boxes {
  /** Fills places that have come to the page since. */
  fill: () => void;
}

/** Files that are loaded only where a page has use for them. */
export interface Features {
  boxes(): Promise<{ openBoxes: (context: Context) => Boxes }>;
  tcf(): Promise<{ openTcf: (context: Context, cookies: Cookies) => Tcf }>;
}
