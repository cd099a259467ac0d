import { createClient } from "../../../packages/lab/instance/requests.ts";
import { setUpAdmin } from "../../../packages/lab/screenshots/admin/site.ts";
import { service } from "../../harness.ts";

/** What the pictures show, made once for all tests of a process: its accounts have their addresses. */
export const site = await setUpAdmin(createClient(service.url));
