import {
  CmpApi,
  CmpApiModel,
  type CommandCallback,
  DisplayStatus,
  type Ping,
} from "@iabtechlabtcf/cmpapi";
import { type FrameReply, openFrames } from "./frames.ts";
import type { List } from "./list.ts";

type Api = (command: unknown, version: unknown, reply: FrameReply, parameter: unknown) => void;

/** `window.__tcfapi`, the global that TCF requires for reading the TC string. */
export interface TcfApi {
  /** Publishes a TC string: `tcloaded` the first time, then `useractioncomplete`. */
  update: (tcString: string) => void;
  /** Reports that the banner is open: `cmpuishown`. */
  show: (tcString: string | undefined) => void;
  /** Reports that the banner was closed without an answer. */
  hide: (tcString: string | undefined) => void;
}

/**
 * Opens the API and answers the calls that the page's stub has queued. Calls for the TC string wait until there is one, or
 * until the banner is open.
 */
export function openApi({ cmpId, cmpVersion, tcfPolicyVersion, vendorListVersion }: List): TcfApi {
  const withVersion = (next: CommandCallback, ping: Ping, isGood: boolean): void => {
    ping.gvlVersion = vendorListVersion;
    next(ping, isGood);
  };
  openFrames("__tcfapi", ({ command, version, parameter }, reply) => {
    (window as { __tcfapi?: Api }).__tcfapi?.(command, version, reply, parameter);
  });
  CmpApiModel.gdprApplies = true;
  const api = new CmpApi(cmpId, cmpVersion, true, { ping: withVersion });
  CmpApiModel.tcfPolicyVersion = tcfPolicyVersion;
  return {
    update: (tcString) => api.update(tcString, false),
    show: (tcString = "") => api.update(tcString, true),
    hide(tcString) {
      if (tcString !== undefined) api.update(tcString, false);
      // TCF has no event for this.
      else CmpApiModel.displayStatus = DisplayStatus.HIDDEN;
    },
  };
}
