import { Type, type Static } from "typebox";
import { CsvDialectIn, Links } from "@avow/contract/consents";
import { instantIn } from "@avow/contract/instants";

const Instant = Type.String({ format: "date-time" });
const Unit = Type.Union([Type.Literal("day"), Type.Literal("hour")]);
const Group = Type.Union(
  [
    Type.Literal("configuration"),
    Type.Literal("language"),
    Type.Literal("device"),
    Type.Literal("step"),
    Type.Literal("page"),
    Type.Literal("region"),
    Type.Literal("vendor"),
  ],
  {
    description:
      "The dimension to group by. `page`, `region` and `vendor` count answers, by UTC days, and not displays.",
  },
);
export type Group = Static<typeof Group>;

/** The dimensions of records that are counted by UTC day. */
export const recordGroups = ["page", "region", "vendor"] as const;
export type RecordGroup = (typeof recordGroups)[number];

/** The query of a project's statistics. */
export const StatsQueryIn = Type.Object({
  from: Type.Optional(
    instantIn(
      "The start; a date is a day of `tz`. Default: thirty days ago, or two days ago with `by=hour`.",
    ),
  ),
  to: Type.Optional(
    instantIn(
      "The end: a date, which is a day of `tz`, is included, a time is not. Default: the end of the present day or hour. At most 366 days after `from`, or 744 hours with `by=hour`.",
    ),
  ),
  by: Type.Union([Type.Literal("day"), Type.Literal("hour")], { default: "day" }),
  group: Type.Optional(Group),
  configuration: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Only the configuration with this id.",
    }),
  ),
  tz: Type.String({
    maxLength: 64,
    default: "UTC",
    description: "The time zone of the days and hours, such as Europe/Paris (IANA).",
  }),
  dialect: Type.Optional(CsvDialectIn),
  format: Type.Optional(
    Type.Union([Type.Literal("json"), Type.Literal("csv")], {
      description: "Overrides the `Accept` header.",
    }),
  ),
});
export type StatsQueryIn = Static<typeof StatsQueryIn>;

const number = (description: string) => Type.Integer({ description });
const numbers = (description: string) => Type.Array(Type.Integer(), { description });

/** Numbers of displays and answers. */
export const Counts = Type.Object({
  shown: number("Displays of a banner or form."),
  accepted: number("Answers that accept everything."),
  partly: number("Answers that accept a part."),
  refused: number("Answers that accept nothing."),
  ignored: number("Displays without an answer so far."),
});

export const undisplayed = number(
  "Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language.",
);

/** The statistics of a project. */
export const StatsOut = Type.Object(
  {
    projectId: Type.String(),
    from: Instant,
    to: Type.String({ format: "date-time", description: "Exclusive." }),
    by: Unit,
    timeZone: Type.String(),
    group: Type.Union([Group, Type.Null()]),
    until: Type.Union([Instant, Type.Null()], {
      description: "Everything before this time is counted; null: nothing is counted yet.",
    }),
    starts: Type.Array(Instant, { description: "The start of each day or hour." }),
    totals: Counts,
    undisplayed,
    series: Type.Array(
      Type.Object({
        key: Type.Union([Type.String(), Type.Null()], {
          description:
            "A configuration's id, a language ('' if unknown), a device, a step's name ('' for consent forms), a page's path, a country (ISO 3166-1) or a vendor; null: the total, or all others together, such as pages and countries with fewer than five answers.",
        }),
        name: Type.Union([Type.String(), Type.Null()], {
          description: "The name of the configuration.",
        }),
        totals: Counts,
        undisplayed,
        shown: numbers("One number for each of `starts`, like the following ones."),
        accepted: numbers("See `totals`."),
        partly: numbers("See `totals`."),
        refused: numbers("See `totals`."),
        ignored: numbers("See `totals`."),
      }),
      { description: "Largest first; without `group`, a single total." },
    ),
    links: Links,
  },
  { title: "Statistics" },
);
export type StatsOut = Static<typeof StatsOut>;
