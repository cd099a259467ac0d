import { hrefOf, paths } from "@avow/contract/urls";
import type { AllPlanes } from "../../../platform/db/buckets/buckets.ts";
import type { ErasureOut } from "../log/schema.ts";
import type { Erasure } from "./erasures.ts";

export interface ErasureRoutes extends AllPlanes {
  now: () => Date;
  publicUrl: string;
}

export function toErasureOut({ erasureId, ...erasure }: Erasure, publicUrl: string): ErasureOut {
  const { projectId } = erasure;
  return {
    id: erasureId,
    ...erasure,
    links: {
      self: hrefOf(publicUrl, paths.erasure, { projectId, id: erasureId }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
      erasures: hrefOf(publicUrl, paths.erasures, { projectId }),
    },
  };
}
