import type { Http } from "../../http/http.ts";
import type { VaultApp } from "../vault/documents/vault.ts";
import { registerAcceptedRoutes } from "./accepted-routes.ts";
import { registerClientProjectRoutes } from "./project-routes.ts";
import { registerStatusRoute } from "./status-routes.ts";
import { type TokensApp, registerTokenRoutes } from "./token-routes.ts";

/** Registers the Client API (specification, Client API; wire section 5). */
export function registerClientRoutes(http: Http, app: VaultApp & TokensApp): void {
  registerClientProjectRoutes(http, app);
  registerTokenRoutes(http, app);
  registerAcceptedRoutes(http, app);
  registerStatusRoute(http, app);
}
