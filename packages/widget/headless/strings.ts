import { regionGroups } from "@avow/contract/regions";
import { type Cookies, listRefusable } from "../core/site.ts";
import type { AppKeys } from "./api.ts";
import type { Situation } from "./situation.ts";
import type { HeadlessTcf } from "./tcf.ts";

/** IAB's strings of a situation. Their code is loaded only for configurations that have them. */
export interface ConsentStrings {
  /** Undefined if the configuration does not ask by TCF. */
  tcf: HeadlessTcf | undefined;
  /** The GPP string; undefined if the configuration has none. */
  encodeGpp: () => string | undefined;
  /** Stores the keys that other SDKs of an app read. */
  writeKeys: (appKeys: AppKeys) => unknown;
}

/** Loads the strings of a situation. */
export async function loadStrings(
  { site, regional, answers, snapshot }: Situation,
  { hasKeys }: { hasKeys: boolean },
): Promise<ConsentStrings> {
  const { cookies, model } = regional;
  const { settings = {} } = cookies;
  const { region, gpc } = snapshot;
  const hasTcf = site.widget?.tcf !== undefined && hasIab(cookies);
  const [tcfFile, gppFile, keysFile] = await Promise.all([
    hasTcf ? import("./tcf.ts") : undefined,
    settings.gpp ? import("../gpp/sections.ts") : undefined,
    hasKeys ? import("./app-keys.ts") : undefined,
  ]);
  const tcf = tcfFile?.openHeadlessTcf(site, cookies, answers);
  // A region without a banner has no notice, thus no section.
  const section =
    model === "none"
      ? undefined
      : gppFile?.chooseSection(region, { isByState: settings.gpp === "state", hasTcf });
  const vendors = listRefusable(cookies);
  const encodeGpp = (): string | undefined =>
    gppFile?.encodeSection(section, {
      vendors,
      choices: answers,
      gpc,
      mspa: settings.mspa,
      tcString: tcf?.find()?.tcString,
    });
  return {
    tcf,
    encodeGpp,
    writeKeys(appKeys) {
      if (!keysFile) return undefined;
      const gppString = encodeGpp();
      const sectionId = gppFile?.toId(section) ?? -1;
      return appKeys.set({
        ...keysFile.toTcfKeys(tcf?.find(), {
          // A configuration that asks by TCF in an unknown region asks as the GDPR requires.
          gdprApplies: isGdpr(region) ?? (tcf ? true : undefined),
        }),
        ...keysFile.toGppKeys(gppString === undefined ? undefined : { gppString, sectionId }),
      });
    },
  };
}

/** Whether a configuration asks by IAB's TCF. */
export function hasIab({ steps }: Cookies): boolean {
  return steps?.some(({ layout }) => layout === "iab") === true;
}

/** Whether the GDPR, or its Swiss or British counterpart, applies in a region; undefined if the region is unknown. */
function isGdpr(region: string | undefined): boolean | undefined {
  const [country = ""] = region?.split("-") ?? [];
  return country ? ["GB", "CH", ...(regionGroups["EEA"] ?? [])].includes(country) : undefined;
}
