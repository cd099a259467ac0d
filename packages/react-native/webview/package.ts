// import { useWebViewConsent } from "@avow/react-native/webview"
export { type WebViewConsentProps, useWebViewConsent } from "./hook.ts";
export {
  type WebViewAnswers,
  type WebViewOrigins,
  readWebViewMessage,
  toWebViewScript,
} from "./protocol.ts";
