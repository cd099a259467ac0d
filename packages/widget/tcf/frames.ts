import { element } from "../banner/dom.ts";

const MESSAGE_LENGTH_MAX = 10_000;

/** A call of another frame. */
export interface FrameCall {
  command?: unknown;
  version?: unknown;
  parameter?: unknown;
  callId?: unknown;
}

export type FrameReply = (returnValue: unknown, success: boolean) => void;

/**
 * Answers other frames by `postMessage` for one of IAB's APIs (TCF and GPP, CMP API, "Using postMessage"): they find this
 * window by the name of its locator frame. Does nothing if a stub of the page has already created one.
 */
export function openFrames(
  api: "__tcfapi" | "__gpp",
  pass: (call: FrameCall, reply: FrameReply) => void,
): void {
  const locator = `${api}Locator`;
  if (locator in window.frames) return;
  const frame = element("iframe", {
    name: locator,
    title: "",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  frame.style.display = "none";
  document.body.append(frame);
  addEventListener("message", ({ data, source }: MessageEvent<unknown>) => {
    const call = toCall(data, `${api}Call`);
    if (!call || !source) return;
    pass(call, (returnValue, success) => {
      const returned = { [`${api}Return`]: { returnValue, success, callId: call.callId } };
      // Both specifications require a reply to frames of any origin.
      source.postMessage(typeof data === "string" ? JSON.stringify(returned) : returned, {
        targetOrigin: "*",
      });
    });
  });
}

/** Parses a call; undefined for any other message of the page. */
function toCall(data: unknown, member: string): FrameCall | undefined {
  let value = data;
  if (typeof data === "string") {
    if (data.length > MESSAGE_LENGTH_MAX || !data.includes(member)) return undefined;
    try {
      value = JSON.parse(data);
    } catch {
      return undefined;
    }
  }
  const call: unknown =
    typeof value === "object" && value ? (value as Record<string, unknown>)[member] : undefined;
  return typeof call === "object" && call ? call : undefined;
}
