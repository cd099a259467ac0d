import { parameters, toHref } from "../../browser/router.ts";

/** The broadcast channel between the windows of this browser. Its messages contain no data. */
const CHANNEL = "avow-confirmed";
const SIZE = "popup,width=520,height=680";

/**
 * Signs the user in again at a provider in a popup, so that this page keeps its state. `onDone` is called on their
 * return. Returns a function that stops waiting.
 */
export function signInByPopup(signin: string, onDone: () => void): () => void {
  const redirectURI = `${location.origin}${toHref("/signin/finish")}?for=confirm`;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", () => {
    channel.close();
    onDone();
  });
  open(`${signin}?${new URLSearchParams({ redirectURI }).toString()}`, "avow-confirm", SIZE);
  return () => channel.close();
}

/** Whether this window is such a popup. */
export function isForOpener(): boolean {
  return parameters.peek().get("for") === "confirm";
}

/** Notifies the waiting window and closes this one. */
export function notifyOpener(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage("done");
  channel.close();
  close();
}
