import { type TSchema, Type } from "typebox";
import { askKinds, changeClasses } from "../publish/changes/change.ts";
import { type SiteStatus, publicationStatuses, siteStatuses } from "./publications-store.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const Field = Type.String({
  maxLength: 512,
  description: "A JSON pointer, with the names of items in lists.",
});

export const SiteParams = Type.Object({ projectId: Id });
export const ResetParams = Type.Object({ projectId: Id, documentId: Id });

export const ResetIn = Type.Union([
  Type.Object({ fields: Type.Optional(Type.Array(Field, { minItems: 1, maxItems: 200 })) }),
  Type.Null(),
]);

export const InheritanceOut = Type.Object(
  {
    projectId: Id,
    template: Type.Object({ id: Id, title: Type.String() }),
    documents: Type.Array(
      Type.Object(
        {
          id: Id,
          resource: Type.String(),
          templateDocumentId: Id,
          openFields: Type.Array(Field, { description: "The site may change these." }),
          overrides: Type.Array(Field, { description: "These have a value of the site's own." }),
        },
        { title: "InheritedDocument" },
      ),
    ),
    links: Type.Object({ self: Type.String() }),
  },
  { title: "Inheritance" },
);

const Time = Type.String({ format: "date-time" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const enumOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: "string", enum: [...values], ...(description ? { description } : {}) });
const Link = Type.String();

export const TemplateParams = Type.Object({ templateId: Id });
export const PublicationParams = Type.Object({ templateId: Id, publicationId: Id });

export const TemplateSiteOut = Type.Object(
  {
    projectId: Id,
    title: orNull(Type.String({ description: "Null for a site that you may not see." })),
    websiteURL: orNull(Type.String()),
    liveVersion: orNull(Type.Integer()),
    publishedAt: orNull(Time),
    behind: Type.Boolean({
      description: "Whether the template has changed since the site was brought up to it.",
    }),
    overrides: Type.Integer({ description: "Number of fields with a value of the site's own." }),
    lastStatus: orNull(enumOf(siteStatuses, "The outcome of the newest publication.")),
    lastMessage: orNull(Type.String()),
    publishable: Type.Boolean({ description: "Whether you may publish the site." }),
    links: Type.Object({ project: Link }),
  },
  { title: "TemplateSite" },
);

export const SiteReportOut = Type.Object(
  {
    projectId: Id,
    title: Type.String(),
    result: enumOf(
      ["changes", "unchanged", "blocked", "skipped"],
      "`blocked`: the publish check would stop it. `skipped`: you may not publish it.",
    ),
    message: orNull(Type.String({ description: "Why it is blocked or skipped." })),
    documents: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        resource: Type.String(),
        change: enumOf(["created", "updated", "removed"]),
      }),
      { description: "Documents that the template changes; at most 20." },
    ),
    overrides: Type.Integer({ description: "Number of fields with a value of the site's own." }),
    dropped: Type.Array(Type.String(), {
      description: "Fields whose own values end, since the template has locked them.",
    }),
    count: Type.Integer({
      description: "Number of changes of the published file, the site's own drafts included.",
    }),
    changes: Type.Array(
      Type.Object({
        class: enumOf(changeClasses),
        message: Type.String(),
        asks: enumOf(askKinds),
      }),
      { description: "At most 20; those that ask for more come first." },
    ),
    asks: enumOf(
      askKinds,
      "The people whom the changes ask: again, for the first time, or nobody.",
    ),
    tokens: Type.Integer({
      description: "Number of tokens that have accepted what is asked again, up to 100,000.",
    }),
    heldBack: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
      description: "Configurations that would stay at their live version.",
    }),
  },
  { title: "TemplateSiteReport" },
);

/** A report is computed for each site of the page. */
export const ReportQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1, description: "1-based." }),
  perPage: Type.Integer({ minimum: 1, maximum: 25, default: 25 }),
});

export const PublicationIn = Type.Union([
  Type.Object({
    sites: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: 1_000,
        description: "Ids of the sites to publish. Without it, all sites.",
      }),
    ),
  }),
  Type.Null(),
]);

export const TemplatePublicationOut = Type.Object(
  {
    id: Id,
    templateId: Id,
    status: enumOf(publicationStatuses, "`Cancelling`: the sites that are being published end."),
    total: Type.Integer({ description: "Number of sites." }),
    ended: Type.Integer({ description: "Number of sites that have ended." }),
    counts: Type.Object(
      Object.fromEntries(siteStatuses.map((status) => [status, Type.Integer()])) as Record<
        SiteStatus,
        ReturnType<typeof Type.Integer>
      >,
      { description: "Number of sites by status." },
    ),
    createdAt: Time,
    createdBy: Type.String(),
    endedAt: orNull(Time),
    links: Type.Object({ self: Link, sites: Link, template: Link }),
  },
  { title: "TemplatePublication" },
);

export const OutcomesQuery = Type.Object({ status: Type.Optional(enumOf(siteStatuses)) });

export const PublicationSiteOut = Type.Object(
  {
    projectId: Id,
    title: orNull(Type.String({ description: "Null for a site that you may not see." })),
    status: enumOf(siteStatuses),
    message: orNull(Type.String()),
    jobId: orNull(Id),
    endedAt: orNull(Time),
    report: orNull(SiteReportOut),
  },
  { title: "TemplatePublicationSite" },
);
