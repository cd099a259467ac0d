import type { Db } from "../../platform/db/db.ts";
import type { Collector } from "../consents/collector.ts";
import type { LiveOffers } from "../consents/live-offers.ts";
import type { Tickets } from "../consents/tickets.ts";
import type { Facts } from "../evidence/facts.ts";
import type { FormsApp } from "../evidence/forms/forms.ts";

/** What a person's page needs. */
export interface PersonApp extends FormsApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  facts: Facts;
  live: LiveOffers;
  collector: Pick<Collector, "collect">;
  tickets: Tickets;
  /** Of one network, on each node. */
  visitorLinksPerMinuteMax: number;
}
