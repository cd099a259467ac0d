import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsentTool } from "@avow/contract/consent-tools";
import { type Conversion, type ConvertOptions, convert } from "../../packages/move-in/convert.ts";

/** The files of each product's samples; README.md names what each was made from. */
export const samples: Readonly<Record<string, { tool: ConsentTool; files: readonly string[] }>> = {
  OneTrust: {
    tool: "onetrust",
    files: ["onetrust-domain.json", "onetrust-en.json", "onetrust-de.json"],
  },
  Cookiebot: { tool: "cookiebot", files: ["cookiebot-cc.js.txt"] },
  Didomi: { tool: "didomi", files: ["didomi.json"] },
  Usercentrics: {
    tool: "usercentrics",
    files: ["usercentrics-settings.json", "usercentrics-services.json"],
  },
  Axeptio: { tool: "axeptio", files: ["axeptio.json"] },
  Klaro: { tool: "klaro", files: ["klaro-config.js.txt"] },
  "CookieConsent 3": { tool: "cookieconsent", files: ["cookieconsent-config.js.txt"] },
  "CookieConsent 2": { tool: "cookieconsent", files: ["cookieconsent-2.js.txt"] },
  tarteaucitron: { tool: "tarteaucitron", files: ["tarteaucitron.html.txt"] },
  c15t: { tool: "c15t", files: ["c15t-runtime.js.txt"] },
};

export function pathOfSample(file: string): string {
  return join(import.meta.dirname, "samples", file);
}

export function convertSample(name: string, options: ConvertOptions = {}): Conversion {
  const files = samples[name]?.files ?? [];
  return convert(
    files.map((file) => ({ name: file, text: readFileSync(pathOfSample(file), "utf8") })),
    { site: "https://shop.example/", ...options },
  );
}
