import { CmpApi, CmpDisplayStatus, CmpStatus, SignalStatus, TcfEuV2 } from "@iabgpp/cmpapi";
import type { Gpp, GppContext } from "../banner/features.ts";
import { on } from "../page/events.ts";
import { listRefusable } from "../core/site.ts";
import { openFrames } from "../tcf/frames.ts";
import { chooseSection, encodeSection, toId } from "./sections.ts";

/** A CMP without an id at IAB. */
const NO_CMP = 0;

type ListenToTcf = (
  command: "addEventListener",
  version: 2,
  listen: (data: { tcString?: string } | null, isGood: boolean) => void,
) => void;

/**
 * Opens `window.__gpp` with the section of the visitor's region, and answers the calls that the page's stub has queued.
 * Events are in the order that IAB's CMP API specifies: the last one of a change is `signalStatus`.
 */
export function openGpp({ site, cookies, choices, model, region, gpc, isShown }: GppContext): Gpp {
  const { settings = {}, steps = [] } = cookies;
  const tcf = site.widget?.tcf;
  const hasTcf = tcf !== undefined && steps.some(({ layout }) => layout === "iab");
  const vendors = listRefusable(cookies);
  // A region without a banner has no notice, thus no section.
  const name =
    model === "none"
      ? undefined
      : chooseSection(region, { isByState: settings.gpp === "state", hasTcf });
  const isTcf = name === TcfEuV2.NAME;
  let tcString: string | undefined;
  const { mspa } = settings;
  const encode = (): string => encodeSection(name, { vendors, choices, gpc, mspa, tcString });
  /** Whether the answers are not known yet, so that the string is no signal. */
  const isPending = (): boolean =>
    isTcf
      ? !tcString
      : name !== undefined &&
        model === "opt-in" &&
        vendors.some((vendor) => choices.isPending(vendor.name));

  // The library reads the stub's calls and listeners by calling it.
  const page = window as { __gpp?: unknown; __tcfapi?: ListenToTcf };
  page.__gpp ??= () => [];
  const api = new CmpApi(tcf?.cmpId ?? NO_CMP, tcf?.cmpVersion ?? 1);
  api.setSupportedAPIs(name ? [`${toId(name)}:${name}`] : []);
  api.setApplicableSections([toId(name)]);
  openFrames("__gpp", ({ command, parameter }, reply) => {
    try {
      (page.__gpp as (...call: unknown[]) => void)(command, reply, parameter);
    } catch {
      // No command of the library.
      reply(null, false);
    }
  });

  const setDisplay = (status: CmpDisplayStatus): void => {
    if (api.getCmpDisplayStatus() !== status) api.setCmpDisplayStatus(status);
  };
  const setSignal = (status: SignalStatus): void => {
    if (api.getSignalStatus() !== status) api.setSignalStatus(status);
  };
  const publish = (): void => {
    const gppString = encode();
    if (gppString !== api.getGppString()) {
      setSignal(SignalStatus.NOT_READY);
      api.setGppString(gppString);
      if (name) api.fireSectionChange(name);
    }
    if (!isPending()) setSignal(SignalStatus.READY);
  };
  const close = (): void => {
    setDisplay(CmpDisplayStatus.HIDDEN);
    publish();
  };

  if (isTcf)
    page.__tcfapi?.("addEventListener", 2, (data, isGood) => {
      if (!isGood || !data?.tcString) return;
      tcString = data.tcString;
    });
  api.setGppString(encode());
  api.setCmpStatus(CmpStatus.LOADED);
  if (!(isShown ?? isPending())) setDisplay(CmpDisplayStatus.DISABLED);
  publish();
  on("shown", () => setDisplay(CmpDisplayStatus.VISIBLE));
  on("answered", close);
  on("dismissed", close);
  return {
    encode,
    expectChange() {
      if (name) setSignal(SignalStatus.NOT_READY);
    },
  };
}
