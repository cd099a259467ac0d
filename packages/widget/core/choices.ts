import { type Memory, type MemoryOptions, readMemory, writeMemory } from "./memory.ts";
import type { Sent } from "./outbox.ts";
import { type Service, type Ticket, newId } from "./service.ts";
import { type Grants, toConsentMode } from "./signals.ts";
import { type Cookies, listVendors } from "./site.ts";

/** What the visitor has answered, and what is still to be asked. */
export interface Choices {
  /** The visitor's: given by the site, or made here and kept with the first answer. */
  token: string;
  /** Whether each vendor of the configuration may run. */
  readonly vendors: Readonly<Record<string, boolean>>;
  /** What is remembered beside them. */
  readonly memory: Memory;
  /** Whether a vendor may run: it was accepted as it is now, or is never asked. */
  isAccepted: (vendor: string) => boolean;
  /** Whether a vendor is one that is asked. */
  isAsked: (vendor: string) => boolean;
  /** Whether a vendor is one that is asked, and no answer holds for it. */
  isPending: (vendor: string) => boolean;
  /** Whether anything was accepted that is asked. */
  isAccepting(): boolean;
  toGrants(): Grants;
  /** Reads anew what is remembered: another page of the site may have been answered. */
  refresh(): void;
  /** Keeps more on the device, beside what is remembered. */
  keep(more: Memory): void;
  /** Keeps that the visitor has been told, where there is nothing to ask. */
  noteTold(): void;
  /**
   * Keeps answers on the device at once, and sends them to the service.
   * @throws Error where they could be neither sent nor kept for later
   */
  answer(
    given: Readonly<Record<string, boolean>>,
    ticket: Ticket | undefined,
    more?: MoreAnswered,
  ): Promise<Sent>;
}

/** What was answered beside vendors. */
export interface MoreAnswered {
  /** Whether something of it was accepted. */
  accept: boolean;
  memory: Memory;
}

interface Options {
  cookies: Cookies;
  service: Service;
  memory: MemoryOptions;
  /** In place of the one that is remembered. */
  token: string | undefined;
  /** Of each vendor what is agreed to with it, as a digest. */
  substances?: Readonly<Record<string, string>> | undefined;
}

/** Opens what is remembered of the answers to a configuration. */
export function openChoices({
  cookies,
  service,
  memory,
  token: own,
  substances = {},
}: Options): Choices {
  const vendors = listVendors(cookies);
  const names = [...vendors.keys()];
  const { identifier, name = "", language } = cookies;
  let held = readMemory(memory);
  const made = newId();
  const refresh = (): void => void (held = { ...held, ...readMemory(memory) });
  const keep = (more: Memory): void => writeMemory(memory, (held = { ...held, ...more }));
  const complete = (more?: Memory): void =>
    keep({
      ...more,
      $$date: new Date().toISOString(),
      $$cookiesVersion: { name, identifier },
      $$completed: true,
    });
  const isAsked = (slug: string): boolean => vendors.has(slug) && !vendors.get(slug)?.required;
  /** An answer holds for what was asked: who has changed since is asked again. */
  const isHeld = (slug: string): boolean => {
    const before = held.$$asked?.[slug] ?? "";
    // What is published names those of before that asked for as much or more, too.
    return typeof held[slug] === "boolean" && substances[slug]?.includes(before) !== false;
  };
  const isAccepted = (slug: string): boolean =>
    isAsked(slug) ? isHeld(slug) && held[slug] === true : vendors.has(slug);
  const choices: Choices = {
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
    isAccepting: () => names.some((slug) => isAsked(slug) && isAccepted(slug)),
    toGrants: () => toConsentMode([...vendors.values()], isAccepted),
    refresh,
    keep,
    noteTold() {
      if (!names.some(isAsked)) complete();
    },
    answer(given, ticket, more) {
      // Another page may have been answered since.
      refresh();
      const asked = { ...held.$$asked };
      for (const slug of Object.keys(given)) asked[slug] = substances[slug]?.slice(0, 8);
      held = { ...held, ...given, ...more?.memory, $$asked: asked };
      const googleConsentMode = cookies.googleConsentMode && choices.toGrants();
      const { token } = choices;
      complete({ $$token: token, $$googleConsentMode: googleConsentMode });
      const config = { name, identifier, language };
      const tcString = held.$$tcString;
      const preferences = { vendors: given, config, googleConsentMode, tcString };
      const accept = more?.accept || choices.isAccepting();
      const collection = "cookies";
      return service.send({ collection, identifier, accept, language, preferences }, token, ticket);
    },
  };
  return choices;
}
