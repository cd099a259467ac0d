import type { Client } from "@avow/client";
import { createCookieConfiguration, createProject } from "@avow/client/operations";
import { CommandError, toReason } from "../terminal/errors.ts";
import type { Proposal } from "@avow/move-in";

interface Created {
  projectId: string;
  configurations: { id: string; name: string }[];
  /** How stored documents differ from what was sent. */
  warnings: string[];
}

/**
 * Creates the proposed project and its cookie configurations. Nothing is published.
 * @throws CommandError that names the project if only a part was created
 */
export async function createProposal(
  client: Client,
  { project, cookies }: Proposal,
  { organizationId, signal }: { organizationId: string | undefined; signal: AbortSignal },
): Promise<Created> {
  const body = { ...project, ...(organizationId !== undefined && { organizationId }) };
  const created = await client.send(createProject, { body }, { signal });
  const projectId = created.id;
  const configurations: Created["configurations"] = [];
  const warnings = toWarnings("project", created.warnings);
  for (const configuration of cookies)
    try {
      const input = { body: { ...configuration, projectId } };
      const stored = await client.send(createCookieConfiguration, input, { signal });
      const name = configuration.name ?? stored.id;
      configurations.push({ id: stored.id, name });
      warnings.push(...toWarnings(name, stored.warnings));
    } catch (error) {
      throw new CommandError(
        `The project ${projectId} was created, but not its configuration ${configuration.name ?? ""}. ${toReason(error)} Delete the project before you repeat the command.`,
      );
    }
  return { projectId, configurations, warnings };
}

function toWarnings(
  name: string,
  warnings: readonly { path: string; message: string }[] = [],
): string[] {
  return warnings.map(({ path, message }) => `${name} ${path}: ${message}`);
}
