// The entry of /cdn/PROJECT.block.js: <script src="https://…/PROJECT.block.js" data-block="auto"></script>
import { holdElements } from "./elements.ts";
import { openHolding } from "./holding.ts";
import type { HostList } from "@avow/contract/published";
import { holdRequests } from "./requests.ts";

/** The service replaces it when it publishes a project. */
declare const AVOW_HOSTS: HostList;

if (document.currentScript?.dataset["block"] === "auto") {
  const holding = openHolding(AVOW_HOSTS);
  holdElements(holding);
  holdRequests(holding);
}
