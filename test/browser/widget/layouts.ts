import { shopCookies } from "./site.ts";

const vendors = [
  { name: "one", title: "One", shortDescription: "Counts.", longDescription: "It counts visits." },
  { name: "two", title: "Two", policyUrl: "https://two.example/policy" },
];
const asking = (name: string, more: object) => ({
  name,
  language: "en",
  steps: [{ name, title: "Cookies", message: "<p>May <b>we</b>?</p>", vendors, ...more }],
});

/** A configuration of each layout that asks, by name. */
export const layouts = [
  shopCookies,
  asking("category", { layout: "category", showToggleAllSwitch: true }),
  asking("info", { layout: "info", timeout: 60_000 }),
  asking("soft", { layout: "soft_consent", timeout: 60_000 }),
];

/** Configurations that soon ask again by themselves, or ask nothing. */
export const others = [
  asking("brief-info", { layout: "info", timeout: 300 }),
  asking("brief-soft", { layout: "soft_consent", timeout: 300 }),
  asking("telling", { layout: "info", vendors: [] }),
];

/** Attributes of the script tag that select a configuration by name. */
export function namingAttributes({ name }: { name?: unknown }): string {
  return `data-cookies="${String(name)}"`;
}
