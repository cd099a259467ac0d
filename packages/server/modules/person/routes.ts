import type { Http } from "../../http/http.ts";
import type { PersonRoutesApp } from "./answers/ports.ts";
import { registerAnswersRoute } from "./answers-routes.ts";
import { registerLinkRoutes } from "./link-routes.ts";
import { registerPersonPage } from "./page-routes.ts";
import { registerRequestRoutes } from "./request-routes.ts";
import { openVisitors } from "./answers/visitors.ts";

/** Registers the person's own page and the links to it. */
export function registerPersonRoutes(http: Http, app: PersonRoutesApp): void {
  const visitors = openVisitors(app.openRate, app.visitorLinksPerMinuteMax);
  registerAnswersRoute(http, { ...app, visitors });
  registerLinkRoutes(http, { ...app, visitors });
  registerRequestRoutes(http, app);
  registerPersonPage(http, app);
}
