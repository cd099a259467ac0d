import { type Memory, type MemoryOptions, readMemory, writeMemory } from "./memory.ts";
import type { Sent } from "./outbox.ts";
import { type Service, type Ticket, newId } from "./service.ts";
import { type Grants, toConsentMode } from "./signals.ts";
import { type Cookies, type Vendor, listVendors } from "./site.ts";

/** What the visitor has answered, and what is still to be asked. */
export interface Choices {
  /** The visitor's: given by the site, or made here and kept with the first answer. */
  token: string;
  /** Whether something was answered before, or told where there was nothing to ask. */
  readonly isCompleted: boolean;
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
  toGrants(): Grants;
  /** Keeps the token on the device, where something else was answered under it. */
  keepToken(): void;
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
  let held = readMemory(memory);
  const made = newId();
  const refresh = (): void => void (held = { ...held, ...readMemory(memory) });
  const keep = (more: Memory): void => writeMemory(memory, (held = { ...held, ...more }));
  const complete = (more: Memory): void =>
    keep({
      ...more,
      $$date: new Date().toISOString(),
      $$cookiesVersion: toVersion(cookies),
      $$completed: true,
    });
  const rules = toRules(vendors, substances, () => held);
  const { isAsked, isAccepted } = rules;
  const choices: Choices = {
    get token() {
      return own ?? held.$$token ?? made;
    },
    set token(token) {
      own = token;
    },
    get isCompleted() {
      return held.$$completed === true;
    },
    get vendors() {
      return Object.fromEntries(vendors.map((vendor) => [vendor.name, isAccepted(vendor.name)]));
    },
    get memory() {
      return held;
    },
    ...rules,
    toGrants: () => toConsentMode(vendors, isAccepted),
    keepToken() {
      refresh();
      keep({ $$token: choices.token });
    },
    noteTold() {
      if (!vendors.some((vendor) => isAsked(vendor.name))) complete({});
    },
    answer(given, ticket, more) {
      // Another tab may have answered since.
      refresh();
      const asked = Object.keys(given).map((slug) => [slug, substances[slug] ?? ""]);
      Object.assign((held = { ...held }), given, more?.memory, {
        $$asked: { ...held.$$asked, ...Object.fromEntries(asked) },
      });
      const { identifier, language } = cookies;
      const config = { ...toVersion(cookies), language };
      const googleConsentMode = cookies.googleConsentMode && choices.toGrants();
      complete({
        $$token: choices.token,
        $$googleConsentMode: googleConsentMode,
      });
      return service.send(
        {
          collection: "cookies",
          identifier,
          accept:
            more?.accept ||
            vendors.some((vendor) => isAsked(vendor.name) && isAccepted(vendor.name)),
          language,
          preferences: { vendors: given, config, googleConsentMode, tcString: held.$$tcString },
        },
        choices.token,
        ticket,
      );
    },
  };
  return choices;
}

function toVersion({ identifier, name = "" }: Cookies): { name: string; identifier: string } {
  return { name, identifier };
}

function toRules(
  vendors: readonly Vendor[],
  substances: Readonly<Record<string, string>>,
  toHeld: () => Memory,
): Pick<Choices, "isAsked" | "isPending" | "isAccepted"> {
  const isAsked = (slug: string): boolean =>
    vendors.some(({ name, required }) => name === slug && !required);
  /** An answer holds for what was asked: who has changed since is asked again. */
  const isHeld = (slug: string): boolean => {
    const { [slug]: answer, $$asked } = toHeld();
    const before = $$asked?.[slug];
    const now = substances[slug];
    return typeof answer === "boolean" && (!before || !now || before === now);
  };
  return {
    isAsked,
    isPending: (slug) => isAsked(slug) && !isHeld(slug),
    isAccepted: (slug) =>
      isAsked(slug)
        ? isHeld(slug) && toHeld()[slug] === true
        : vendors.some(({ name }) => name === slug),
  };
}
