import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Outbox } from "../mails/outbox.ts";
import type { SessionsApp } from "../sessions/ports.ts";

/** The vault's verb that keys need. */
interface KeyProjects {
  /** Whether the scope sees the project. */
  isVisible(db: Db | Tx, scope: Scope, projectId: string): Promise<boolean>;
}

/** Dependencies of the routes of API keys. */
export interface KeysApp extends SessionsApp {
  keyProjects: KeyProjects;
  outbox: Outbox;
}
