import type { JsonObject } from "@avow/contract/json";
import type { Static } from "typebox";
import type { FieldFault } from "../../../platform/errors.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Tier } from "../../billing/billing.ts";
import { isDuplicable, resourceOf } from "../schemas/resources.ts";
import type { ServiceFields } from "@avow/contract/document";
import type { DocumentRow } from "./store.ts";

/** A document as returned: its own fields and the service's (wire section 0). */
export type Document = Static<typeof ServiceFields> & JsonObject;

export function documentHref(publicUrl: string, row: Pick<DocumentRow, "resource" | "id">): string {
  return `${publicUrl}${resourceOf(row.resource).path}/${row.id}`;
}

interface View {
  publicUrl: string;
  /** The tier of a project; unused for other resources. */
  tier: Tier | undefined;
  warnings?: FieldFault[];
}

export function toDocument(row: DocumentRow, { publicUrl, tier, warnings }: View): Document {
  return {
    ...row.body,
    ...(row.resource === "projects" ? projectFields(row, tier) : {}),
    // Documents of earlier versions may have another value.
    ...(row.resource === "organizations" ? { companyName: row.body["name"] } : {}),
    _id: row.id,
    id: row.id,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
    version: row.version,
    ...(warnings && warnings.length > 0 ? { warnings } : {}),
    links: linksOf(row, publicUrl),
  };
}

function projectFields(row: DocumentRow, tier: Tier | undefined): JsonObject {
  return {
    name: row.body["title"],
    active: isActive(row, tier),
    metadata: row.published_at ? { lastPublishedAt: row.published_at.toISOString() } : {},
    billing: tier ? toBilling(tier) : {},
  };
}

function toBilling({ plan, status, customer }: Tier): JsonObject {
  const paying = customer === undefined ? {} : { customer };
  return { plan: plan.name, subscription: status, ...paying };
}

/** A project is active when it is live and its subscription is neither canceled nor unpaid (wire section 5). */
export function isActive(row: DocumentRow, tier: Tier | undefined): boolean {
  return row.live_version !== null && tier?.status !== "canceled" && tier?.status !== "unpaid";
}

/** The entity tag of a document: its version, and for a project its publication and tier. */
export function toEtag(row: DocumentRow, tier: Tier | undefined): string {
  if (row.resource !== "projects") return `"${row.version}"`;
  const published = row.published_at?.getTime() ?? 0;
  return `"${row.version}-${published.toString(36)}-${row.live_version ?? 0}-${tier?.plan.name ?? ""}-${tier?.status ?? ""}${tier?.customer ?? ""}"`;
}

function linksOf(row: DocumentRow, publicUrl: string): Record<string, string> {
  const self = documentHref(publicUrl, row);
  const organization = row.organization_id
    ? {
        organization: documentHref(publicUrl, {
          resource: "organizations",
          id: row.organization_id,
        }),
      }
    : {};
  const project = row.project_id
    ? { project: documentHref(publicUrl, { resource: "projects", id: row.project_id }) }
    : {};
  const own = row.resource === "projects" ? projectLinks(row.id, publicUrl) : {};
  const trail = trailLinks(row, publicUrl);
  return {
    self,
    ...organization,
    ...project,
    users: `${self}/users`,
    versions: `${self}/versions`,
    ...(row.resource === "content" ? { revisions: `${self}/revisions` } : {}),
    ...(isDuplicable(row.resource) ? { duplicate: `${self}/duplicate` } : {}),
    ...own,
    ...trail,
  };
}

function trailLinks({ resource, id }: Pick<DocumentRow, "resource" | "id">, publicUrl: string) {
  const query = { projects: { projectId: id }, organizations: { organizationId: id } }[resource];
  return query ? { audit: hrefOf(publicUrl, paths.audit, {}, query) } : {};
}

function projectLinks(id: string, publicUrl: string): Record<string, string> {
  const listOf = (resource: string) => `${publicUrl}${resourceOf(resource).path}?projectId=${id}`;
  return {
    cookies: listOf("cookies"),
    processings: listOf("processings"),
    contracts: listOf("contracts"),
    extended: hrefOf(publicUrl, paths.extendedProject, {}, { projectId: id }),
    client: hrefOf(publicUrl, paths.clientProject, { id }),
    publish: hrefOf(publicUrl, paths.publishJobs, {}, { projectId: id }),
  };
}

/** The title of a document; its id without one. */
export function toTitle({ id, body }: Pick<DocumentRow, "id" | "body">): string {
  const title = body["title"] ?? body["name"];
  return typeof title === "string" ? title : id;
}
