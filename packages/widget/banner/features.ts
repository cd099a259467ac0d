import type { ConsentModel } from "@avow/contract/regions";
import type { Answer, Center, Iab, Regional } from "./banner.ts";
import type { VisitorAnswers, MoreAnswered } from "../core/answers.ts";
import type { MemoryStore } from "../core/memory.ts";
import type { Options } from "../page/options.ts";
import type { Service } from "../core/sending/service.ts";
import type { Selector } from "../core/selector.ts";
import type { Cookies, Site } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** Dependencies of the widget's other files. */
export interface Context {
  site: Site;
  cookies: Cookies;
  service: Service;
  choices: VisitorAnswers;
  wanted: Selector & Pick<Options, "service" | "token">;
}

/** Dependencies of the parts that are in the page. */
export interface PageContext extends Context {
  wanted: Options;
  /** Applies and records answers by vendor, as the banner does. */
  answer: (given: Answer) => Promise<void>;
}

/** The layout `iab`: IAB TCF. */
export interface Tcf extends Iab {
  /** Whether there is no valid answer. */
  isPending(): boolean;
  /** Reads the stored answer again, and updates tags. */
  refresh(): void;
  /** Saves the answer as a TC string, and updates tags; undefined when nothing was answered. */
  answer(answer: Answer): MoreAnswered | undefined;
}

/** Dependencies of IAB's Global Privacy Platform. */
export interface GppContext extends Pick<Context, "site" | "choices"> {
  /** Those of the visitor's region. */
  cookies: Cookies;
  model: ConsentModel;
  /** Undefined if unknown. */
  region: string | undefined;
  /** Whether the visitor's browser sends Global Privacy Control. */
  gpc: boolean;
  /** Whether the banner is shown next; undefined in the model opt-in, in which it depends on the answers. */
  isShown: boolean | undefined;
}

/** IAB's Global Privacy Platform (GPP). */
export interface Gpp {
  /** The GPP string of the current answers. */
  encode(): string;
  /** Reports that the visitor is about to change the answers. */
  expectChange(): void;
}

/** The consent forms, contract forms and placeholders of the page. */
export interface Boxes {
  /** Fills elements that were added to the page. */
  fill: () => void;
}

/** The visitor's own page at the service. */
export interface Person {
  /**
   * Opens the page if its button was pressed; on a failure the button shows the error. Otherwise stores newer answers of
   * the service on the device. Texts are those of the banner by default.
   * @throws Error when the service does not respond or returns an error
   */
  withPerson: (context: Context, pressed?: EventTarget | null, say?: Say) => Promise<unknown>;
}

/** Data on the visitor's device that is not the widget's own. */
export interface Device {
  /** Adopts the visitor's answer to another consent tool, if there is a valid one, and sends it. */
  adoptAnswers: (context: DeviceContext) => void;
  /** Deletes what refused vendors stored. */
  cleanDevice: (context: DeviceContext) => Promise<void>;
}

type DeviceContext = Pick<Context, "site" | "choices" | "cookies"> & { wanted: Options };

/**
 * Files that are loaded on demand. The person's page and placeholders are in the file of boxes, because the hash of
 * another file would enlarge the entry for every visitor.
 */
export interface Features {
  regions: {
    openRegion: (
      site: Site,
      original: Cookies,
      options: Options,
      parts: { memory: MemoryStore; load: LoadFeature },
    ) => Promise<{ cookies: Cookies; regional: Regional | undefined }>;
  };
  gpp: { openGpp: (given: GppContext) => Gpp };
  center: Center;
  device: Device;
  boxes: Person & { openBoxes: (context: PageContext) => Boxes };
  tcf: { openTcf: (context: Context) => Tcf };
}

/** Loads a file, once. `hash` is that of GPP's file, which only the file of regions knows. */
export type LoadFeature = <N extends keyof Features>(
  name: N,
  hash?: string,
) => Promise<Features[N]>;
