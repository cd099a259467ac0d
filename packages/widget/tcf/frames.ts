import { element } from "../banner/dom.ts";

const LOCATOR = "__tcfapiLocator";
const MESSAGE_LENGTH_MAX = 10_000;

type Api = (
  command: unknown,
  version: unknown,
  callback: (returnValue: unknown, success: boolean) => void,
  parameter: unknown,
) => void;
interface Call {
  command?: unknown;
  version?: unknown;
  parameter?: unknown;
  callId?: unknown;
}

/**
 * Answers other frames by `postMessage` (TCF, CMP API, "Using postMessage"): they find this window by the name of its
 * locator frame. Does nothing if a stub of the page has already created one.
 */
export function openFrames(): void {
  if (LOCATOR in window.frames) return;
  const frame = element("iframe", {
    name: LOCATOR,
    title: "",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  frame.style.display = "none";
  document.body.append(frame);
  addEventListener("message", answer);
}

function answer({ data, source }: MessageEvent<unknown>): void {
  const call = toCall(data);
  const { __tcfapi: api } = window as { __tcfapi?: Api };
  if (!call || !source || !api) return;
  const { command, version, parameter, callId } = call;
  const reply = (returnValue: unknown, success: boolean): void => {
    const returned = { __tcfapiReturn: { returnValue, success, callId } };
    // TCF requires a reply to frames of any origin.
    source.postMessage(typeof data === "string" ? JSON.stringify(returned) : returned, {
      targetOrigin: "*",
    });
  };
  api(command, version, reply, parameter);
}

/** Parses a TCF call; undefined for any other message of the page. */
function toCall(data: unknown): Call | undefined {
  let value = data;
  if (typeof data === "string") {
    if (data.length > MESSAGE_LENGTH_MAX || !data.includes("__tcfapiCall")) return undefined;
    try {
      value = JSON.parse(data);
    } catch {
      return undefined;
    }
  }
  const call: unknown =
    typeof value === "object" && value
      ? (value as { __tcfapiCall?: unknown }).__tcfapiCall
      : undefined;
  return typeof call === "object" && call ? call : undefined;
}
