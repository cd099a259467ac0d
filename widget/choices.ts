import { type Memory, type MemoryOptions, readMemory, writeMemory } from "./memory.ts";
import type { Sent } from "./outbox.ts";
import { type Service, type Ticket, newId } from "./service.ts";
import { type Grants, toConsentMode } from "./signals.ts";
import { type Cookies, listVendors } from "./site.ts";

/** What the visitor has answered, and what is still to be asked. */
export interface Choices {
  /** The visitor's; made here unless the site gives one. */
  token: string;
  /** Whether each vendor of the configuration may run. */
  readonly vendors: Readonly<Record<string, boolean>>;
  readonly tcString: string | undefined;
  /** Whether a vendor may run: it was accepted as it is now, or is never asked. */
  isAccepted: (vendor: string) => boolean;
  /** Whether a vendor is one that is asked. */
  isAsked: (vendor: string) => boolean;
  /** Whether a vendor is one that is asked, and no answer holds for it. */
  isPending: (vendor: string) => boolean;
  toGrants(): Grants;
  /** Keeps the token on the device, where something else was answered under it. */
  keepToken(): void;
  /**
   * Keeps answers on the device at once, and sends them to the service.
   * @throws Error where they could be neither sent nor kept for later
   */
  answer(
    given: Readonly<Record<string, boolean>>,
    ticket: Ticket | undefined,
    tcString?: string,
  ): Promise<Sent>;
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
  token,
  substances = {},
}: Options): Choices {
  const vendors = listVendors(cookies);
  const { identifier, name = "", language } = cookies;
  let held = readMemory(memory);
  const keep = (more: Memory): void => writeMemory(memory, (held = { ...held, ...more }));
  const isAsked = (slug: string): boolean =>
    vendors.some((one) => one.name === slug && !one.required);
  /** An answer holds for what was asked: who has changed since is asked again. */
  const isHeld = (slug: string): boolean => {
    const before = held.$$asked?.[slug];
    return slug in held && (!before || !substances[slug] || before === substances[slug]);
  };
  const isAccepted = (slug: string): boolean =>
    isAsked(slug) ? isHeld(slug) && held[slug] === true : vendors.some((one) => one.name === slug);
  const choices: Choices = {
    token: token ?? held.$$token ?? newId(),
    get vendors() {
      return Object.fromEntries(vendors.map((vendor) => [vendor.name, isAccepted(vendor.name)]));
    },
    get tcString() {
      return held.$$tcString;
    },
    isAccepted,
    isAsked,
    isPending: (slug) => isAsked(slug) && !isHeld(slug),
    toGrants: () => toConsentMode(vendors, isAccepted),
    keepToken: () => keep({ $$token: choices.token }),
    answer(given, ticket, tcString = held.$$tcString) {
      const asked = Object.keys(given).map((slug) => [slug, substances[slug] ?? ""]);
      Object.assign((held = { ...held }), given, {
        $$asked: { ...held.$$asked, ...Object.fromEntries(asked) },
      });
      const googleConsentMode = cookies.googleConsentMode && choices.toGrants();
      keep({
        $$token: choices.token,
        $$date: new Date().toISOString(),
        $$cookiesVersion: { name, identifier },
        $$completed: true,
        $$googleConsentMode: googleConsentMode,
        $$tcString: tcString,
      });
      return service.send(
        {
          collection: "cookies",
          identifier,
          accept: vendors.some((vendor) => isAsked(vendor.name) && isAccepted(vendor.name)),
          language,
          preferences: {
            vendors: given,
            config: { identifier, name, language },
            googleConsentMode,
            tcString,
          },
        },
        choices.token,
        ticket,
      );
    },
  };
  return choices;
}
