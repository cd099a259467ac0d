import { type VendorUse, soldUses } from "@avow/contract/regions";
import type { Regional } from "../banner/banner.ts";
import type { Features, Gpp, LoadFeature } from "../banner/features.ts";
import type { Child } from "../banner/dom.ts";
import type { VisitorAnswers } from "../core/answers.ts";
import { emitError } from "../page/events.ts";
import type { Options } from "../page/options.ts";
import { request } from "../page/request.ts";
import { isOptedOut } from "../page/consent-mode.ts";
import type { MemoryStore } from "../core/memory.ts";
import { type Located, applyRule, listUsed, toRefusal } from "../core/rule.ts";
import type { Cookies, Site } from "../core/site.ts";
import { chooseVariant } from "../core/variant.ts";

const TIMEOUT_MS = 3_000;

interface RegionParts {
  memory: MemoryStore;
  load: LoadFeature;
}

/** The configuration or its variant, and how it asks in the visitor's region. `gppHash` is that of the file of GPP. */
export async function openRegion(
  site: Site,
  original: Cookies,
  options: Pick<Options, "service" | "region">,
  { memory, load }: RegionParts,
  gppHash?: string,
): Promise<{ cookies: Cookies; regional: Regional | undefined }> {
  const cookies = chooseVariant(site, original, memory);
  const { regions = [] } = cookies;
  if (!regions[0]) return { cookies, regional: undefined };
  return applyRules(cookies, options, { site, loadGpp: () => load("gpp", gppHash) });
}

/**
 * An unknown region has the strictest rule. Opens IAB's GPP if the configuration or a stub of the page asks for it; its
 * file is loaded while the region is looked up.
 */
async function applyRules(
  cookies: Cookies,
  options: Pick<Options, "service" | "region">,
  { site, loadGpp }: { site: Site; loadGpp: () => Promise<Features["gpp"]> },
): Promise<{ cookies: Cookies; regional: Regional }> {
  const isGpp = cookies.settings?.gpp ?? "__gpp" in window;
  const [gppFile, { region, gpc }] = await Promise.all([
    isGpp ? loadGpp().catch(emitError) : undefined,
    findRegion(options),
  ]);
  const { cookies: own, model, on, refused } = applyRule(cookies, { region, gpc });
  const isAsking = model === "opt-in";
  let choices: VisitorAnswers | undefined;
  let gpp: Gpp | undefined;
  const regional: Regional = {
    on,
    toPreferences: () => ({ model, region, gppString: gpp?.encode() }),
    begin(opened, answer) {
      choices = opened;
      // An acceptance from before the signal does not stand, one after it does.
      const isNew = gpc && !isAsking && !opened.memory.$$gpc;
      const optOuts = isNew ? refused.filter((name) => opened.memory[name] !== false) : [];
      if (!isAsking && gpc !== Boolean(opened.memory.$$gpc)) opened.keep({ $$gpc: gpc });
      const { $$completed, $$confirm } = opened.memory;
      const isConfirming = optOuts[0] !== undefined || $$confirm === true;
      const isShown = isAsking ? undefined : model !== "none" && (!$$completed || isConfirming);
      gpp = gppFile?.openGpp({ site, cookies: own, choices, model, region, gpc, isShown });
      if (optOuts[0]) {
        opened.keep({ $$confirm: true });
        answer(toRefusal(optOuts)).catch(emitError);
      }
      return isShown;
    },
    toNote() {
      if (isAsking || !choices?.memory.$$confirm) return undefined;
      return gpc ? "optedOut" : "optOutDone";
    },
    toButtons(button, onAnswer, isCenter) {
      if (isAsking || isCenter) gpp?.expectChange();
      if (isAsking) return undefined;
      const toButton = (name: string, uses: readonly VendorUse[], look = ""): Child => {
        const names = listUsed(own, uses);
        const refuse = (): void => {
          choices?.keep({ $$confirm: true });
          onAnswer(toRefusal(names));
        };
        const isOffered = model === "opt-out" && names.some((one) => choices?.isAccepted(one));
        return isOffered && button(name, refuse, ` wide${look}`);
      };
      return [
        // As prominent as the others (11 CCR §7004, symmetry in choice).
        toButton("doNotSell", soldUses),
        toButton("limitSensitive", ["sensitive"], " save"),
        !isCenter && button("ok", () => onAnswer(undefined)),
      ];
    },
  };
  return { cookies: own, regional };
}

interface RegionResponse {
  region?: string | null;
  gpc?: boolean;
}

/** The region that the page names, otherwise that of the service; undefined if unknown. */
async function findRegion({
  service,
  region,
}: Pick<Options, "service" | "region">): Promise<Located> {
  try {
    const named = typeof region === "function" ? await region() : region;
    if (named) return { region: named.toUpperCase(), gpc: isOptedOut() };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await request(`${service}/v1/client/region`, { signal });
    const found = (await answer.json()) as RegionResponse;
    return { region: found.region ?? undefined, gpc: isOptedOut() || found.gpc === true };
  } catch {
    // Unknown: the strictest rule applies.
    return { region: undefined, gpc: isOptedOut() };
  }
}
