import type { Answer, Iab } from "./banner.ts";
import type { Choices, MoreAnswered } from "../core/choices.ts";
import type { Options } from "../core/options.ts";
import type { Service } from "../core/service.ts";
import type { Wanted } from "../core/api.ts";
import type { Cookies, Site } from "../core/site.ts";

/** What the widget's other files are given. */
export interface Context {
  site: Site;
  service: Service;
  choices: Choices;
  wanted: Wanted & Pick<Options, "service">;
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

/** The visitor's own page at the service. */
export interface Person {
  /**
   * Goes to the page where its button was pressed, which says so where that is not possible. Otherwise remembers on
   * the device what the service has that is newer.
   * @throws Error where the service does not answer, or has nothing of the visitor
   */
  withPerson: (context: Context, pressed?: EventTarget | null) => Promise<unknown>;
}

/**
 * Files that are loaded only where a page has use for them. The person's page is in the file of boxes: the hash of
 * a third would be with every visitor.
 */
export interface Features {
  boxes(): Promise<Person & { openBoxes: (context: Context) => Boxes }>;
  tcf(): Promise<{ openTcf: (context: Context, cookies: Cookies) => Tcf }>;
}
