import type { AccountsApp } from "./accounts/ports.ts";
import type { KeysApp } from "./keys/ports.ts";

/** Dependencies of all routes of this module, filled in `packages/server/app/auth.ts`. Each folder declares its own. */
export interface AuthApp extends AccountsApp, KeysApp {}
