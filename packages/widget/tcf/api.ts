import {
  CmpApi,
  CmpApiModel,
  type CommandCallback,
  DisplayStatus,
  type Ping,
} from "@iabtechlabtcf/cmpapi";
import { openFrames } from "./frames.ts";
import type { List } from "./list.ts";

/** `window.__tcfapi`, by which tags ask for the TC string: the one global that TCF demands. */
export interface TcfApi {
  /** Tells a TC string: `tcloaded` the first time, `useractioncomplete` from then on. */
  tell: (tcString: string) => void;
  /** Tells that the visitor is asked: `cmpuishown`. */
  show: (tcString: string | undefined) => void;
  /** Tells that the visitor is not asked any more and answered nothing. */
  hide: (tcString: string | undefined) => void;
}

/**
 * Opens it. Calls of before, which a stub on the page has queued, are answered now; those for the TC
 * string wait until there is one, or until the visitor is asked.
 */
export function openApi({ cmpId, cmpVersion, tcfPolicyVersion, vendorListVersion }: List): TcfApi {
  const withVersion = (next: CommandCallback, ping: Ping, isGood: boolean): void => {
    ping.gvlVersion = vendorListVersion;
    next(ping, isGood);
  };
  openFrames();
  CmpApiModel.gdprApplies = true;
  const api = new CmpApi(cmpId, cmpVersion, true, { ping: withVersion });
  CmpApiModel.tcfPolicyVersion = tcfPolicyVersion;
  return {
    tell: (tcString) => api.update(tcString, false),
    show: (tcString = "") => api.update(tcString, true),
    hide(tcString) {
      if (tcString !== undefined) api.update(tcString, false);
      // There is no event for this: nothing was completed.
      else CmpApiModel.displayStatus = DisplayStatus.HIDDEN;
    },
  };
}
