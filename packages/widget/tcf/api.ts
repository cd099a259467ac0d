import {
  CmpApi,
  CmpApiModel,
  type CommandCallback,
  DisplayStatus,
  type Ping,
} from "@iabtechlabtcf/cmpapi";
import { type FrameReply, openFrames } from "./frames.ts";
import type { StoredTcString } from "./held.ts";
import type { List } from "./list.ts";

type Api = (command: unknown, version: unknown, reply: FrameReply, parameter: unknown) => void;

/** A TC string with the string of Google's Additional Consent. */
type ReportedConsent = Pick<StoredTcString, "tcString" | "additional">;

/** `window.__tcfapi`, the global that TCF requires for reading the TC string. */
export interface TcfApi {
  /** Publishes a TC string: `tcloaded` the first time, then `useractioncomplete`. */
  update: (held: ReportedConsent) => void;
  /** Reports that the banner is open: `cmpuishown`. */
  show: (held: ReportedConsent | undefined) => void;
  /** Reports that the banner was closed without an answer. */
  hide: (held: ReportedConsent | undefined) => void;
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
  let additional: string | undefined;
  // Google: TCData has the string as `addtlConsent`. The library also calls this with the result of removing a listener.
  const withAdditional = (next: CommandCallback, data: unknown, isGood: boolean): void => {
    if (additional !== undefined && typeof data === "object" && data)
      Object.assign(data, { addtlConsent: additional });
    next(data, isGood);
  };
  openFrames("__tcfapi", ({ command, version, parameter }, reply) => {
    (window as { __tcfapi?: Api }).__tcfapi?.(command, version, reply, parameter);
  });
  CmpApiModel.gdprApplies = true;
  const api = new CmpApi(cmpId, cmpVersion, true, {
    ping: withVersion,
    getTCData: withAdditional,
  });
  CmpApiModel.tcfPolicyVersion = tcfPolicyVersion;
  return {
    update(held) {
      ({ additional } = held);
      api.update(held.tcString, false);
    },
    show: (held) => api.update(held?.tcString ?? "", true),
    hide(held) {
      if (held) api.update(held.tcString, false);
      // TCF has no event for this.
      else CmpApiModel.displayStatus = DisplayStatus.HIDDEN;
    },
  };
}
