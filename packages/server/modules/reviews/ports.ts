import type { FastifyBaseLogger } from "fastify";
import type { OpenRate } from "../../platform/queues/rate.ts";
import type { PreviewServices } from "../publish/check/previewing.ts";

/** The dependencies that the composition root passes to this module. */
export interface ReviewsApp extends PreviewServices {
  publicUrl: string;
  log: Pick<FastifyBaseLogger, "error">;
  openRate: OpenRate;
}
