import {
  type MoveInFiles,
  createCookieConfiguration,
  createProject,
  deleteProject,
  readMoveInFiles,
} from "@avow/client/operations";
import type { Proposal } from "@avow/move-in";
import { send } from "../../api/send.ts";

/** Reads the public files of a site's consent product through the service. @throws Problem */
export async function readPublicFiles(url: string): Promise<MoveInFiles> {
  return send(readMoveInFiles, { body: { url } });
}

export interface CreatedProposal {
  projectId: string;
  /** The configuration of the default language. */
  bannerId: string;
}

/** Creates the proposed project with its banners, or nothing. @throws Problem */
export async function createProposed({ project, cookies }: Proposal): Promise<CreatedProposal> {
  const { id: projectId } = await send(createProject, { body: project });
  let bannerId = "";
  try {
    for (const configuration of cookies) {
      const body = { ...configuration, projectId };
      const { id } = await send(createCookieConfiguration, { body });
      if (bannerId === "" || configuration.isDefault === true) bannerId = id;
    }
  } catch (error) {
    await send(deleteProject, { path: { documentId: projectId } });
    throw error;
  }
  return { projectId, bannerId };
}
