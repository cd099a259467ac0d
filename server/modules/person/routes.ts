import type { Http } from "../../platform/http/http.ts";
import type { PersonApp } from "./app.ts";
import { registerAnswersRoute } from "./answers-routes.ts";
import { registerLinkRoutes } from "./link-routes.ts";
import { registerPersonPage } from "./page-routes.ts";

/** Registers the person's own page and the links to it. */
export function registerPersonRoutes(http: Http, app: PersonApp): void {
  registerAnswersRoute(http, app);
  registerLinkRoutes(http, app);
  registerPersonPage(http, app);
}
