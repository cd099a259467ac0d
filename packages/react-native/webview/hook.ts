import { useConsent } from "@avow/react/hooks";
import type { KeyValueStorage } from "@avow/widget/headless";
import { useMemo, useState } from "react";
import { type WebViewOrigins, readWebViewMessage, toDateMs, toWebViewScript } from "./protocol.ts";

/** The properties for `WebView` of react-native-webview. */
export interface WebViewConsentProps {
  injectedJavaScriptBeforeContentLoaded: string;
  injectedJavaScriptBeforeContentLoadedForMainFrameOnly: true;
  onMessage: (event: { nativeEvent: { data: string; url: string } }) => void;
}

/**
 * The properties that let pages of these origins in a web view know the app's answers, and the app theirs. Undefined while
 * the consent loads: show the web view after that.
 */
export function useWebViewConsent({
  storage,
  ...given
}: Omit<WebViewOrigins, "key"> & {
  /** That of `ConsentProvider`. */
  storage: KeyValueStorage;
}): WebViewConsentProps | undefined {
  const { state, refresh, toSnapshot } = useConsent();
  const { origins, cookieName = "axeptio_cookies", cookieDomain } = given;
  // The script of a web view that is open does not change, so that it does not load again.
  const [options] = useState(() => ({ origins, cookieName, cookieDomain, key: newKey() }));
  const isReady = state.status === "ready";
  const script = useMemo(
    () => (isReady ? toWebViewScript(toSnapshot().stored.answers[0], options) : undefined),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [options, isReady],
  );
  if (script === undefined) return undefined;
  const adopt = async (text: string): Promise<void> => {
    await storage.setItem(cookieName, text);
    await refresh();
  };
  return {
    injectedJavaScriptBeforeContentLoaded: script,
    injectedJavaScriptBeforeContentLoadedForMainFrameOnly: true,
    onMessage({ nativeEvent }) {
      const answers = readWebViewMessage(nativeEvent, options);
      if (!answers || answers.dateMs <= findDateMs(toSnapshot().stored.answers[0])) return;
      adopt(answers.text).catch(() => undefined);
    },
  };
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-");
}

/** The time of the app's own answers; 0 for none. */
function findDateMs(text: string | undefined): number {
  try {
    return toDateMs(text ?? "") ?? 0;
  } catch {
    // None, or corrupt.
    return 0;
  }
}
