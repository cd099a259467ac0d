import {
  createCookieConfiguration,
  createProject,
  deleteProject,
} from "@avow/client/operations";
import type { Proposal } from "@avow/move-in";
import { send } from "../../api/send.ts";

/** Creates the proposed project with its banners, or nothing. Returns the id of the project. @throws Problem */
export async function createProposed({ project, cookies }: Proposal): Promise<string> {
  const { id: projectId } = await send(createProject, { body: project });
  try {
    for (const configuration of cookies)
      await send(createCookieConfiguration, { body: { ...configuration, projectId } });
  } catch (error) {
    await send(deleteProject, { path: { documentId: projectId } });
    throw error;
  }
  return projectId;
}
