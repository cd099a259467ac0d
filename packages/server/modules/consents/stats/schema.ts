import { Type, type Static } from "typebox";
import { Links } from "@avow/contract/consents";

const Instant = Type.String({ format: "date-time" });
const Unit = Type.Union([Type.Literal("day"), Type.Literal("hour")]);
const Group = Type.Union(
  [
    Type.Literal("configuration"),
    Type.Literal("language"),
    Type.Literal("device"),
    Type.Literal("step"),
  ],
  { description: "What numbers are told by." },
);
export type Group = Static<typeof Group>;

/** The query of a project's numbers. */
export const StatsQueryIn = Type.Object({
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        "A day (2026-01-31) or an instant (RFC 3339); thirty days ago, or with `by=hour` two.",
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        "A day, which is part of it, or an instant, which is not; the end of the present day or hour. At most 366 days after `from`, or with `by=hour` 744 hours.",
    }),
  ),
  by: Type.Union([Type.Literal("day"), Type.Literal("hour")], { default: "day" }),
  group: Type.Optional(Group),
  configuration: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "The id of one configuration alone." }),
  ),
  tz: Type.String({
    maxLength: 64,
    default: "UTC",
    description: "The time zone of the days and hours, such as Europe/Paris (IANA).",
  }),
  format: Type.Optional(
    Type.Union([Type.Literal("json"), Type.Literal("csv")], {
      description: "In place of what `Accept` asks for.",
    }),
  ),
});
export type StatsQueryIn = Static<typeof StatsQueryIn>;

const number = (description: string) => Type.Integer({ description });
const numbers = (description: string) => Type.Array(Type.Integer(), { description });

const Totals = Type.Object({
  shown: number("Displays to somebody who was asked."),
  accepted: number("Answers that accept all that was asked."),
  partly: number("Answers that accept some of it."),
  refused: number("Answers that accept nothing."),
  ignored: number("Displays that were not answered until now."),
});

const undisplayed = number(
  "How many of these answers came without a display that was counted, and so are not among `shown`: those that programs sent, and of pages and forms that asked for no ticket. 0 by device and step, which tell no others.",
);

/** The numbers of a project over time. */
export const StatsOut = Type.Object(
  {
    projectId: Type.String(),
    from: Instant,
    to: Type.String({ format: "date-time", description: "Exclusive." }),
    by: Unit,
    timeZone: Type.String(),
    group: Type.Union([Group, Type.Null()]),
    until: Type.Union([Instant, Type.Null()], {
      description: "All that came before then is counted; null: nothing is yet.",
    }),
    starts: Type.Array(Instant, { description: "When each day or hour begins." }),
    totals: Totals,
    undisplayed,
    series: Type.Array(
      Type.Object({
        key: Type.Union([Type.String(), Type.Null()], {
          description:
            "A configuration's id, a language ('' where it is unknown), a device, a step's name ('' in boxes); null: of all, or of all others.",
        }),
        name: Type.Union([Type.String(), Type.Null()], {
          description: "What the configuration is called.",
        }),
        totals: Totals,
        undisplayed,
        shown: numbers("One number for each of `starts`, as those below."),
        accepted: numbers("See `totals`."),
        partly: numbers("See `totals`."),
        refused: numbers("See `totals`."),
        ignored: numbers("See `totals`."),
      }),
      { description: "The largest first; without `group` one of all." },
    ),
    links: Links,
  },
  { title: "Statistics" },
);
export type StatsOut = Static<typeof StatsOut>;
