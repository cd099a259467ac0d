import type { Unplaced } from "../../../platform/db/buckets/buckets.ts";
import type { Planes } from "../../../platform/db/db.ts";
import type { CollectApp } from "../../consents/collect/collect.ts";
import type { Facts } from "../../evidence/log/sequence/facts.ts";
import type { OpenRate } from "../../../platform/queues/rate.ts";
import type { Regions } from "../../../platform/regions/regions.ts";
import type { FormatsApp } from "../../evidence/reports/formats.ts";

/** The dependencies of a person's page. */
export interface PersonApp extends Planes, FormatsApp, CollectApp {
  publicUrl: string;
  facts: Facts;
  regions: Regions;
  openRate: OpenRate;
  /** Limit per network and node. */
  visitorLinksPerMinuteMax: number;
}

/** The same before the project is known. */
export type PersonRoutesApp = Unplaced<PersonApp>;
