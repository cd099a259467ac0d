// import { createConsentReader } from "@avow/widget/server"
export {
  type ConsentReader,
  type ConsentReaderOptions,
  type ReadConsent,
  type RequestLike,
  createConsentReader,
} from "./reader.ts";
export { toScriptJson } from "./script-json.ts";
