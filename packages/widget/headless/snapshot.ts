import type { Site } from "../core/site.ts";

/**
 * A published file with the chosen configuration and the texts of its language only, and without IAB's vendor list, which
 * is large.
 */
export function reduceSite(site: Site, identifier: string): Site {
  const cookies = (site.cookies ?? []).filter((one) => one.identifier === identifier);
  const { tcf: _tcf, words = {}, ...widget } = site.widget ?? {};
  const languages = new Set(
    [...cookies, ...(site.processings ?? []), ...(site.contracts ?? [])].map(
      ({ language = "en" }) => language,
    ),
  );
  const used = Object.fromEntries(Object.entries(words).filter(([one]) => languages.has(one)));
  return { ...site, cookies, widget: { ...widget, words: used } };
}
