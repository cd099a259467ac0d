import type { Sealer } from "../../../platform/crypto/sealing.ts";
import type { Provider } from "../../../platform/providers/provider.ts";
import type { AddressesApp } from "../addresses/ports.ts";
import type { FactorsApp } from "../factors/ports.ts";
import type { InstanceApp } from "../instance/ports.ts";
import type { InvitationsApp } from "../invitations/ports.ts";
import type { SessionsApp } from "../sessions/ports.ts";

/** Dependencies of the routes of sign-in with providers. */
export interface IdentitiesApp
  extends AddressesApp, FactorsApp, InstanceApp, InvitationsApp, SessionsApp {
  config: AddressesApp["config"] & InstanceApp["config"] & InvitationsApp["config"];
  /** Encrypts pending sign-ins. */
  sealer: Sealer;
  /** By name. */
  providers: ReadonlyMap<string, Provider>;
}
