import type { FastifyBaseLogger } from "fastify";
import type { Jobs } from "../../kernel/jobs.ts";
import type { PreviewServices } from "../publish/check/previewing.ts";
import type { FindApprovals } from "../publish/publications/publishing.ts";
import type { Vault } from "../vault/documents/vault.ts";

/** The dependencies that the composition root passes to this module. */
export interface TemplatesApp extends PreviewServices, Vault {
  jobs: Jobs;
  findApprovals: FindApprovals;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
}
