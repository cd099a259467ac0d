import { createClient } from "../../../packages/lab/instance/requests.ts";
import { setUpAdmin } from "../../../packages/lab/screenshots/admin/site.ts";
import { operatorToken, service } from "../../harness.ts";

/** The data of the screenshots, created once in each process: the accounts have fixed addresses. */
export const site = await setUpAdmin(createClient(service.url), operatorToken);
