// import { createConsentReader } from "@avow/react/server": for server components and other code of servers.
export {
  type ConsentReader,
  type ConsentReaderOptions,
  type ReadConsent,
  type RequestLike,
  createConsentReader,
} from "@avow/widget/server";
