import type { Http } from "../http/http.ts";
import { registerInheritanceRoutes } from "../modules/templates/inheritance-routes.ts";
import { startTemplateJobs } from "../modules/templates/jobs.ts";
import type { TemplatesApp } from "../modules/templates/ports.ts";
import { registerTemplateRoutes } from "../modules/templates/routes.ts";

/** Opens templates: their routes, and in the process with background work the worker of their publications. */
export async function openTemplates(
  http: Http,
  app: TemplatesApp & { hasBackgroundWork: boolean },
): Promise<void> {
  registerInheritanceRoutes(http, app);
  registerTemplateRoutes(http, app);
  if (app.hasBackgroundWork) await startTemplateJobs(app);
}
