import type { ImportedFrom } from "@avow/contract/consents";
import type { Memory, MemoryStore } from "./memory.ts";
import type { SendResult } from "./sending/outbox.ts";
import { type Service, type Ticket, newId } from "./sending/service.ts";
import { type Grants, toConsentMode } from "./signals.ts";
import { type Cookies, type RegionModel, listVendors } from "./site.ts";

/** The visitor's answers, and the vendors that are pending. */
export interface VisitorAnswers {
  /** The visitor's token: from the site, or generated and stored with the first answer. Undefined: the site has none. */
  get token(): string;
  set token(token: string | undefined);
  /** Whether each vendor of the configuration may run. */
  readonly vendors: Readonly<Record<string, boolean>>;
  /** The content of the cookie. */
  readonly memory: Memory;
  /** Whether a vendor may run: it was accepted and has not changed, it is required, or its region's rule lets it run. */
  isAccepted: (vendor: string) => boolean;
  /** Whether a vendor needs an answer. */
  isAsked: (vendor: string) => boolean;
  /** Whether a vendor needs an answer and has no valid one. */
  isPending: (vendor: string) => boolean;
  /** Whether any vendor that needs an answer was accepted. */
  isAccepting(): boolean;
  toGrants(): Grants;
  /** Reads the stored answers again: another page of the site may have changed them. */
  refresh(): void;
  /** Stores more members in the cookie. */
  keep(more: Memory): void;
  /** Stores that the visitor has seen the banner, if it asks nothing or only informs. */
  noteNotice(): void;
  /**
   * Stores answers on the device, and sends them to the service.
   * @throws Error when they can be neither sent nor kept for later
   */
  answer(
    given: Readonly<Record<string, boolean>>,
    ticket: Ticket | undefined,
    more?: MoreAnswered,
  ): Promise<SendResult>;
}

/** Further answers than those for vendors. */
export interface MoreAnswered {
  /** Whether any of it was accepted. */
  accept: boolean;
  memory: Memory;
  /** The other consent tool that the answers were adopted from. */
  imported?: ImportedFrom;
}

interface Options {
  cookies: Cookies;
  service: Service;
  memory: MemoryStore;
  /** Replaces the stored token. */
  token: string | undefined;
  /** The digest of the offer of each vendor. */
  substances?: Readonly<Record<string, string>> | undefined;
  regional?: RegionModel | undefined;
}

/** Reads the stored answers to a configuration. */
export function openVisitorAnswers({
  cookies,
  service,
  memory,
  token: own,
  substances = {},
  regional,
}: Options): VisitorAnswers {
  const vendors = listVendors(cookies);
  const names = [...vendors.keys()];
  const { identifier, name = "", language } = cookies;
  let held = memory.readMemory();
  const made = newId();
  const refresh = (): void => void (held = { ...held, ...memory.readMemory() });
  const keep = (more: Memory): void => memory.writeMemory((held = { ...held, ...more }));
  const complete = (more?: Memory): void =>
    keep({
      ...more,
      $$date: new Date().toISOString(),
      $$cookiesVersion: { name, identifier },
      $$completed: true,
      $$confirm: more?.$$confirm,
    });
  const isAsked = (slug: string): boolean => vendors.has(slug) && !vendors.get(slug)?.required;
  /** An answer is valid for the offer that was shown: a vendor with a material change is asked again. */
  const isHeld = (slug: string): boolean => {
    const before = held.$$asked?.[slug] ?? "";
    // The published file also lists earlier digests that asked for at least as much.
    return typeof held[slug] === "boolean" && substances[slug]?.includes(before) !== false;
  };
  const isAccepted = (slug: string): boolean =>
    isAsked(slug)
      ? isHeld(slug)
        ? (held[slug] as boolean)
        : Boolean(regional?.on?.has(slug))
      : vendors.has(slug);
  const choices: VisitorAnswers = {
    get token() {
      return own ?? held.$$token ?? made;
    },
    set token(token) {
      own = token;
    },
    get vendors() {
      return Object.fromEntries(names.map((slug) => [slug, isAccepted(slug)]));
    },
    get memory() {
      return held;
    },
    isAsked,
    isPending: (slug) => isAsked(slug) && !isHeld(slug),
    isAccepted,
    isAccepting: () => names.some((slug) => isHeld(slug) && held[slug]),
    toGrants: () => toConsentMode([...vendors.values()], isAccepted),
    refresh,
    keep,
    noteNotice() {
      if (regional?.on || !names.some(isAsked)) complete();
    },
    answer(given, ticket, more) {
      // Another page may have stored answers.
      refresh();
      const asked = { ...held.$$asked };
      for (const slug of Object.keys(given)) {
        asked[slug] = substances[slug]?.slice(0, 8);
        delete held.$$imported?.[slug];
      }
      held = { ...held, ...given, ...more?.memory, $$asked: asked };
      const googleConsentMode = cookies.googleConsentMode && choices.toGrants();
      const { token } = choices;
      const { $$confirm } = held;
      const config = { name, identifier, language };
      const tcString = held.$$tcString;
      const preferences = {
        vendors: given,
        config,
        googleConsentMode,
        tcString,
        imported: more?.imported,
        addtlConsent: held.$$addtlConsent,
        ...regional?.toPreferences(),
      };
      const accept = more?.accept || choices.isAccepting();
      const collection = "cookies";
      // Before the device knows the answer, so that a process that ends here leaves no answer without a record.
      const sent = service.send(
        { collection, identifier, accept, language, preferences },
        token,
        ticket,
      );
      complete({
        $$token: token,
        $$known: own && true,
        $$googleConsentMode: googleConsentMode,
        $$confirm,
      });
      return sent;
    },
  };
  return choices;
}
