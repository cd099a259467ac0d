import { parameters, toHref } from "../../browser/router.ts";

/** Windows of this browser hear of each other here; what they say holds nothing. */
const CHANNEL = "avow-confirmed";
const SIZE = "popup,width=520,height=680";

/**
 * Signs somebody in again at a provider, in a window of its own, so that what they are at stays as it is; `onDone` is
 * told when they came back. Answers what ends the waiting.
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

/** Whether this is such a window. */
export function isForOpener(): boolean {
  return parameters.peek().get("for") === "confirm";
}

/** Tells the window that waits, and closes this one. */
export function notifyOpener(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage("done");
  channel.close();
  close();
}
