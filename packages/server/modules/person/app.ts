import type { Db } from "../../platform/db/db.ts";
import type { Collector } from "../consents/collect/collector.ts";
import type { LiveOffers } from "../consents/offers/live-offers.ts";
import type { Tickets } from "../consents/displays/tickets.ts";
import type { Facts } from "../evidence/log/sequence/facts.ts";
import type { FormsApp } from "../evidence/reports/forms.ts";

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
