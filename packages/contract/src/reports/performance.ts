import { z } from "zod";
import { amount, currency, currencyInput, idInput, must, text, wholeNumber } from "../fields.ts";
import { dateInput, daysBetween, totals } from "./analytics.ts";

/** The most points of a chart, and so the most days by day. */
const MAX_POINTS = 400;
/** The most lines of a chart. */
const MAX_SERIES = 10;

export const performanceDimensions = [
  "affiliate",
  "campaign",
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const;

export type PerformanceDimension = (typeof performanceDimensions)[number];

/** The dimensions of an affiliate's own performance. */
const ownDimensions = [
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const satisfies PerformanceDimension[];

/** The metrics of a row, by which rows can be sorted. */
export const performanceSorts = [
  "clicks",
  "signups",
  "conversions",
  "revenue_amount",
  "commission_amount",
  "lost_amount",
  "refunds",
  "conversion_rate",
  "earnings_per_click",
] as const;

export type PerformanceSort = (typeof performanceSorts)[number];

/** Affiliates see the revenue of single payments alone, if their campaign does not hide it. */
const ownSorts = performanceSorts.filter((sort) => sort !== "revenue_amount");

const period = {
  from: dateInput.optional().meta({
    description:
      "The first day, in the organization's time zone. Default: all time, which has no period before.",
  }),
  until: dateInput.meta({ description: "The day after the last one." }),
  previous_from: dateInput
    .optional()
    .meta({ description: "The first day of the period before. Default: as many days before `from`." }),
  previous_until: dateInput.optional().meta({ description: "The day after its last one. Default: `from`." }),
};

interface Period {
  from?: string | undefined;
  until: string;
  previous_from?: string | undefined;
  previous_until?: string | undefined;
}

const isOrdered = ({ from, until }: Period) => from === undefined || daysBetween(from, until) >= 1;
const hasBothPrevious = ({ from, previous_from, previous_until }: Period) =>
  (previous_from === undefined) === (previous_until === undefined) &&
  (previous_from === undefined || from !== undefined);
const isPreviousOrdered = ({ previous_from, previous_until }: Period) =>
  previous_from === undefined ||
  previous_until === undefined ||
  daysBetween(previous_from, previous_until) >= 1;

/** The rules of periods. */
function withPeriod<Input extends z.ZodType<Period>>(input: Input): Input {
  return input
    .refine(isOrdered, { path: ["until"], error: "Must be after from." })
    .refine(hasBothPrevious, {
      path: ["previous_until"],
      error: "Must be given with the first days of both periods.",
    })
    .refine(isPreviousOrdered, {
      path: ["previous_until"],
      error: "Must be after the first day of the period before.",
    });
}

const DAYS = { day: 1, week: 7, month: 28 };

/** Before all rows. */
export const FIRST_DAY = "2000-01-01";

/** The rule of charts. */
function withPoints<Input extends z.ZodType<Period & { unit: keyof typeof DAYS }>>(input: Input): Input {
  return input.refine(
    ({ from = FIRST_DAY, until, previous_from, previous_until, unit }) => {
      const previous =
        previous_from === undefined || previous_until === undefined
          ? 0
          : daysBetween(previous_from, previous_until);
      return Math.max(daysBetween(from, until), previous) / DAYS[unit] <= MAX_POINTS;
    },
    { path: ["unit"], error: `Must make at most ${MAX_POINTS} points.` },
  );
}

const dimensionInput = z.enum(performanceDimensions).meta({
  description: "The dimension. The report has a row for each of its values.",
  example: "landing_page",
});

const scope = {
  campaign_id: idInput.optional().meta({ description: "Only affiliates that are in this campaign now." }),
  affiliate_id: idInput.optional().meta({ description: "Only this affiliate." }),
};

const ONE_SCOPE = { path: ["affiliate_id"], error: "Must not be given with a campaign." };
const hasOneScope = (value: { campaign_id?: string | undefined; affiliate_id?: string | undefined }) =>
  value.campaign_id === undefined || value.affiliate_id === undefined;

const amounts = {
  currency: currencyInput.optional().meta({
    description:
      "The currency of the amounts, which are never added over currencies. Default: the organization's.",
  }),
};

/** A language, perhaps with a script and a region, or up to four of them. */
const LANGUAGES = /^([a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(,(?=.)|$)){1,4}$/i;

const rows = {
  sort: z.enum(performanceSorts).default("clicks").meta({ description: "The metric to sort rows by." }),
  direction: z
    .enum(["asc", "desc"])
    .default("desc")
    .meta({ description: "`desc`: the most first. Rows without a rate come last." }),
  search: text(100).optional().meta({
    description:
      "Part of the value; of affiliates, of their name or email; of campaigns, of their name; of countries, also the beginning of a word of their name.",
  }),
  search_languages: text(100)
    .regex(LANGUAGES, must("Must be languages such as de or pt-BR, separated by commas."))
    .optional()
    .meta({
      description:
        "The languages of the names of countries in `search`, separated by commas, besides English.",
      example: "de,fr",
    }),
  limit: wholeNumber(1, 200).default(50).meta({ description: "The most rows." }),
  offset: wholeNumber(0, 100_000)
    .default(0)
    .meta({ description: "The number of rows before the first one." }),
};

/** A value of a dimension, as `key` in rows. */
const keyInput = z
  .string()
  .max(400)
  .regex(/^(none|other|=.+)$/su, must("Must be a row's key."));

const series = {
  unit: z.enum(["day", "week", "month"]).default("day"),
  keys: z
    .array(keyInput)
    .max(MAX_SERIES)
    .optional()
    .meta({ description: "The keys of rows, each of which gets a line. Default: one line of everything." }),
};

export const getPerformanceInput = withPeriod(
  z
    .strictObject({ dimension: dimensionInput, ...scope, ...period, ...amounts, ...rows })
    .refine(hasOneScope, ONE_SCOPE),
);

export type GetPerformance = z.output<typeof getPerformanceInput>;

export const getPerformanceSeriesInput = withPoints(
  withPeriod(
    z
      .strictObject({ dimension: dimensionInput, ...scope, ...period, ...amounts, ...series })
      .refine(hasOneScope, ONE_SCOPE),
  ),
);

export type GetPerformanceSeries = z.output<typeof getPerformanceSeriesInput>;

/** The same with one line: a query cannot have several keys, since values have commas. */
export const getOnePerformanceSeriesInput = withPoints(
  withPeriod(
    z
      .strictObject({
        dimension: dimensionInput.optional().meta({ description: "The dimension of `key`. Needed with it." }),
        key: keyInput.optional().meta({
          description: "The `key` of the row to return points of. Default: of everything.",
          example: "=newsletter",
        }),
        unit: series.unit.meta({ description: "The time between points. Weeks start on Monday." }),
        ...scope,
        ...period,
        from: dateInput.meta({
          description: "The first day, in the organization's time zone.",
          example: "2026-11-01",
        }),
        until: period.until.meta({ example: "2026-12-01" }),
        ...amounts,
      })
      .refine(({ dimension, key }) => key === undefined || dimension !== undefined, {
        path: ["dimension"],
        error: "Must be given with a key.",
      })
      .refine(hasOneScope, ONE_SCOPE),
  ),
);

const own_sort = z.enum(ownSorts).default("clicks").meta({ description: "The metric to sort rows by." });

/** The same for an affiliate's own performance. */
export const getOwnPerformanceInput = withPeriod(
  z.strictObject({ dimension: z.enum(ownDimensions), ...period, ...amounts, ...rows, sort: own_sort }),
);
export const getOwnPerformanceSeriesInput = withPoints(
  withPeriod(z.strictObject({ dimension: z.enum(ownDimensions), ...period, ...amounts, ...series })),
);

const table = {
  sort: rows.sort,
  direction: rows.direction,
  search: rows.search,
  search_languages: rows.search_languages,
};

/** The table as a file. */
export const exportPerformanceInput = withPeriod(
  z
    .strictObject({ dimension: dimensionInput, ...scope, ...period, ...amounts, ...table })
    .refine(hasOneScope, ONE_SCOPE),
);
export const exportOwnPerformanceInput = withPeriod(
  z.strictObject({ dimension: z.enum(ownDimensions), ...period, ...amounts, ...table, sort: own_sort }),
);

export type ExportPerformance = z.output<typeof exportPerformanceInput>;

export type GetOwnPerformance = z.output<typeof getOwnPerformanceInput>;
export type GetOwnPerformanceSeries = z.output<typeof getOwnPerformanceSeriesInput>;

const metrics = {
  ...totals,
  refunds: z.int().meta({
    description:
      "The refunds, disputes and corrections of `lost_amount`, less those that were restored, such as disputes that were won.",
    example: 3,
  }),
  conversion_rate: z
    .number()
    .nullable()
    .meta({ description: "Conversions by clicks, as in 0.05; null without clicks.", example: 0.05 }),
  earnings_per_click: amount.nullable().meta({
    description: "Commission by clicks, to four decimal places; null without clicks.",
    example: 0.1234,
  }),
};

const metricsSchema = z.object(metrics).meta({ id: "PerformanceMetrics" });

export type PerformanceMetrics = z.infer<typeof metricsSchema>;

const rowSchema = z
  .object({
    key: z.string().meta({ description: "Identifies the row in the dimension.", example: "=newsletter" }),
    kind: z.enum(["value", "none", "other"]).meta({
      description:
        "`none`: without a value, as sales without a click. `other`: values beyond the 300 new ones of a month, together.",
      example: "value",
    }),
    value: z.string().nullable().meta({
      description: "For affiliates and campaigns, their id. Null unless `kind` is `value`.",
      example: "newsletter",
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: "The name of an affiliate or a campaign.", example: "Jane Doe" }),
    present: metricsSchema.meta({ description: "The metrics of the period." }),
    previous: metricsSchema.nullable().meta({
      description: "The metrics of the period before; null for all time.",
    }),
  })
  .meta({ id: "PerformanceRow" });

export type PerformanceRow = z.infer<typeof rowSchema>;

export const performanceSchema = z
  .object({
    currency,
    rows: z.array(rowSchema).meta({ description: "A page of them, in the chosen order." }),
    rows_total: z.int().meta({ description: "The number of rows on all pages.", example: 42 }),
    present: metricsSchema.meta({ description: "The metrics of all rows." }),
    previous: metricsSchema.nullable().meta({ description: "The metrics of all rows in the period before." }),
  })
  .meta({ id: "Performance" });

export type Performance = z.infer<typeof performanceSchema>;

const ownMetricsSchema = metricsSchema
  .extend({ revenue_amount: z.number().nullable() })
  .meta({ id: "OwnPerformanceMetrics" });
const ownRowSchema = rowSchema
  .extend({ present: ownMetricsSchema, previous: ownMetricsSchema.nullable() })
  .meta({ id: "OwnPerformanceRow" });

/** The same for an affiliate's own performance, in which all revenue is null. */
export const ownPerformanceSchema = performanceSchema
  .extend({ rows: z.array(ownRowSchema), present: ownMetricsSchema, previous: ownMetricsSchema.nullable() })
  .meta({ id: "OwnPerformance" });

export type OwnPerformance = z.infer<typeof ownPerformanceSchema>;
export type OwnPerformanceRow = z.infer<typeof ownRowSchema>;
export type OwnPerformanceMetrics = z.infer<typeof ownMetricsSchema>;

const seriesPointSchema = z
  .object({
    day: z.iso.date().meta({
      description: "The first day of the day, week (from Monday) or month in the period.",
      example: "2026-11-20",
    }),
    ...metrics,
  })
  .meta({ id: "PerformancePoint" });

const lineSchema = z
  .object({
    key: z
      .string()
      .nullable()
      .meta({ description: "The key of the row; null: the series is of everything.", example: null }),
    points: z.array(seriesPointSchema).meta({ description: "The points of the period, in their order." }),
    previous_points: z
      .array(seriesPointSchema)
      .nullable()
      .meta({ description: "The points of the period before; null for all time." }),
  })
  .meta({ id: "PerformanceLine" });

export const performanceSeriesSchema = z
  .object({ currency, series: z.array(lineSchema).meta({ description: "A line for each key." }) })
  .meta({ id: "PerformanceSeries" });

export type PerformanceSeries = z.infer<typeof performanceSeriesSchema>;

const ownPointSchema = seriesPointSchema.extend({ revenue_amount: z.number().nullable() });

/** The same for an affiliate's own performance, in which all revenue is null. */
export const ownPerformanceSeriesSchema = performanceSeriesSchema
  .extend({
    series: z.array(
      z.object({
        key: z.string().nullable(),
        points: z.array(ownPointSchema),
        previous_points: z.array(ownPointSchema).nullable(),
      }),
    ),
  })
  .meta({ id: "OwnPerformanceSeries" });

export type OwnPerformanceSeries = z.infer<typeof ownPerformanceSeriesSchema>;
