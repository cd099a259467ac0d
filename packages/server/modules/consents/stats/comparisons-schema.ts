import { Type, type Static } from "typebox";
import { Links } from "@avow/contract/consents";
import { GROUP_LENGTH_MAX } from "@avow/contract/groups";
import { Counts, undisplayed } from "./schema.ts";

const Instant = Type.String({ format: "date-time" });
const formatIn = Type.Optional(
  Type.Union([Type.Literal("json"), Type.Literal("csv")], {
    description: "Overrides the `Accept` header.",
  }),
);
const daysIn = (max: number, value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: max, default: value, description });

/** The query of the statistics around a publication. */
export const PublicationStatsQueryIn = Type.Object({
  days: daysIn(28, 7, "Maximum length of each window, in days of 24 hours."),
  format: formatIn,
});

/** The query of the comparison of sites. */
export const SitesStatsQueryIn = Type.Object({
  organization: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{24}$",
      description: "the id of an organization, to which the sites are limited",
    }),
  ),
  group: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: GROUP_LENGTH_MAX,
      pattern: "^[^\\p{Cc}\\p{Cs}]*$",
      description: "the name of a group, to which the sites are limited",
      examples: ["Retail"],
    }),
  ),
  days: daysIn(92, 30, "Length of the period, in UTC days before the present one."),
  format: formatIn,
});

const Window = Type.Object({
  from: Instant,
  to: Type.String({ format: "date-time", description: "Exclusive." }),
  totals: Counts,
  undisplayed,
});

const rate = (description: string) =>
  Type.Union(
    [
      Type.Object({
        difference: Type.Number({
          description: "The share after minus that before, from -1 to 1.",
        }),
        interval: Type.Object(
          { from: Type.Number(), to: Type.Number() },
          { description: "95 % confidence interval of the difference (Wald)." },
        ),
        p: Type.Number({
          description: "Two-sided p-value of the two-proportion z-test with pooled variance.",
        }),
        isEnough: Type.Boolean({
          description:
            "Whether both windows have at least ten cases with the outcome and ten without; otherwise interval and p-value are meaningless.",
        }),
      }),
      Type.Null(),
    ],
    { description },
  );

/** The statistics around a publication. */
export const PublicationStatsOut = Type.Object(
  {
    projectId: Type.String(),
    version: Type.Integer(),
    publishedAt: Instant,
    before: Window,
    after: Window,
    accepting: rate("Answers that accept everything, of all answers; null without answers."),
    answering: rate("Displays that were answered, of all displays; null without displays."),
    links: Links,
  },
  { title: "PublicationStatistics" },
);
export type PublicationStatsOut = Static<typeof PublicationStatsOut>;

/** The comparison of sites. */
export const SitesStatsOut = Type.Object(
  {
    from: Instant,
    to: Type.String({ format: "date-time", description: "Exclusive." }),
    isPartial: Type.Boolean({
      description: "Whether there are more sites; the 200 oldest are compared.",
    }),
    sites: Type.Array(
      Type.Object({
        projectId: Type.String(),
        title: Type.String(),
        totals: Counts,
        undisplayed,
        before: Type.Object(
          { totals: Counts, undisplayed },
          { description: "The counts of the equally long period before." },
        ),
      }),
      { description: "Most answers first." },
    ),
    links: Links,
  },
  { title: "SitesStatistics" },
);
export type SitesStatsOut = Static<typeof SitesStatsOut>;
