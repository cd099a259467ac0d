import { type Signups, getSignups } from "@avow/client/operations";
import { send } from "../api/send.ts";
import { useLoad } from "./use-load.ts";

/** The mode of sign-ups; undefined while loading. After a failure open, since the service checks each sign-up. */
export function useSignups(): Signups["mode"] | undefined {
  const loaded = useLoad(() => send(getSignups), []);
  if (loaded.state === "loading") return undefined;
  return loaded.state === "ready" ? loaded.value.mode : "open";
}
