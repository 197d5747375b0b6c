// Records as they are imported, and builders of them, generated from the catalog by `npm run docs`. Don't edit.
import { builder } from "./build.ts";

/** One record of `news`. */
export type NewsItem = {
  /** Author. */
  author?: string;
  /** Full text, HTML; filled when `displayOutput` is full. */
  body?: string;
  /** Channels of the item. */
  channels?: readonly {
    /** Channel ID, for the channels filter. */
    id?: number;
    /** Channel name. */
    name: string;
  }[];
  /** Content type, for the `content_types` filter. */
  content_type?: string;
  /** When the item was published, in the service's time zone. */
  created: string | number | Date;
  /** GICS classification, stored only. */
  gics?: string;
  /** Item identifier. */
  id: number;
  /** Images. */
  image?: readonly {
    /** Alternative text, stored only. */
    alt?: string;
    /** Size, such as thumb, small, or large. */
    size?: string;
    /** URL of the image. */
    url?: string;
  }[];
  /** Level, for the importance filter. */
  importance?: "low" | "medium" | "high";
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** Identifier of the item this one is derived from; omitted if there is none. */
  original_id?: number;
  /** Country codes or names of regions, for the region filter. */
  regions?: readonly string[];
  /** Sector, stored only. */
  sector?: string;
  /** Instruments the item is about. */
  stocks?: readonly {
    /** CUSIP. */
    cusip?: string;
    /** Exchange. */
    exchange?: string;
    /** GICS classification, stored only. */
    gics?: string;
    /** ISIN. */
    isin?: string;
    /** Ticker symbol. */
    name: string;
    /** Whether the item is mainly about this one, for `primaryTickers`. */
    primary?: boolean;
    /** Sector, stored only. */
    sector?: string;
  }[];
  /** Tags. */
  tags?: readonly {
    /** Tag. */
    name: string;
  }[];
  /** Teaser; filled when `displayOutput` is abstract or full. */
  teaser?: string;
  /** Headline, plain text. */
  title: string;
  /** When the item was last updated, in the service's time zone. */
  updated?: string | number | Date;
  /** Absolute URL of the item. */
  url?: string;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const newsItem: (values?: Partial<NewsItem>) => NewsItem = builder("news");

/** One record of `ratings`. */
export type Rating = {
  /** What the firm did. */
  action_company?: "Downgrades" | "Maintains" | "Reinstates" | "Reiterates" | "Upgrades" | "Assumes" | "Initiates Coverage On" | "Terminates Coverage On" | "Removes" | "Suspends" | "Firm Dissolved";
  /** What happened to the price target, such as Raises or Lowers. */
  action_pt?: string;
  /** Price target, adjusted for splits. */
  adjusted_pt_current?: string;
  /** Previous price target, adjusted for splits. */
  adjusted_pt_prior?: string;
  /** Name of the firm. */
  analyst?: string;
  /** Identifier of the analyst (person). */
  analyst_id?: string;
  /** Name of the analyst (person). */
  analyst_name?: string;
  /** Currency code. */
  currency?: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Exchange of the listing. */
  exchange?: string;
  /** Identifier of the firm. */
  firm_id?: string;
  /** GICS classification of the company, stored only. */
  gics?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** ISIN. */
  isin?: string;
  /** Company name. */
  name?: string;
  /** Free text. */
  notes?: string;
  /** Price target. */
  pt_current?: string;
  /** Change of the price target in percent, with a sign; computed when not imported. */
  pt_pct_change?: string;
  /** Previous price target. */
  pt_prior?: string;
  /** Rating, in the firm's own words. */
  rating_current?: string;
  /** Previous rating. */
  rating_prior?: string;
  /** Track record of the analyst. */
  ratings_accuracy?: Readonly<Record<string, unknown>>;
  /** Sector of the company, stored only. */
  sector?: string;
  /** Ticker symbol. */
  ticker?: string;
  /** Clock time of the event, New York. */
  time?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
  /** URL of the record. */
  url?: string;
  /** URL of the calendar page. */
  url_calendar?: string;
  /** URL of the news item. */
  url_news?: string;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const rating: (values?: Partial<Rating>) => Rating = builder("ratings");

/** One record of `dividends`. */
export type Dividend = {
  /** Whether the event is confirmed. */
  confirmed?: boolean;
  /** Currency code. */
  currency?: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Amount of this payment. */
  dividend?: string;
  /** Amount of the previous payment. */
  dividend_prior?: string;
  /** Kind of payment, such as Cash. */
  dividend_type?: string;
  /** Yield; 1 means 100 percent. */
  dividend_yield?: string;
  /** Whether regular payments end with this one. */
  end_regular_dividend?: boolean;
  /** First day on which shares trade without the dividend. */
  ex_dividend_date?: string;
  /** Exchange of the listing. */
  exchange?: string;
  /** Payments per year. */
  frequency?: number;
  /** GICS classification of the company, stored only. */
  gics?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** ISIN. */
  isin?: string;
  /** Company name. */
  name?: string;
  /** Free text. */
  notes?: string;
  /** Payment date. */
  payable_date?: string;
  /** Fiscal period label, such as Q1 or FY. */
  period?: string;
  /** Record date: shareholders of record on this day receive the dividend. */
  record_date?: string;
  /** Sector of the company, stored only. */
  sector?: string;
  /** Ticker symbol. */
  ticker?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
  /** Year of the dividend. */
  year?: number;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const dividend: (values?: Partial<Dividend>) => Dividend = builder("dividends");

/** One record of `guidance`. */
export type Guidance = {
  /** Whether the event is confirmed. */
  confirmed?: boolean;
  /** Currency code. */
  currency?: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Estimated earnings per share. */
  eps_guidance_est?: string;
  /** Upper end of the guided earnings per share. */
  eps_guidance_max?: string;
  /** Lower end of the guided earnings per share. */
  eps_guidance_min?: string;
  /** Upper end of the previous guidance. */
  eps_guidance_prior_max?: string;
  /** Lower end of the previous guidance. */
  eps_guidance_prior_min?: string;
  /** Basis of earnings per share, such as Adj or GAAP. */
  eps_type?: string;
  /** Exchange of the listing. */
  exchange?: string;
  /** GICS classification of the company, stored only. */
  gics?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** Whether this is the company's primary guidance, as a boolean word: true, y, yes, and 1 mean that it is. */
  is_primary?: string;
  /** Company name. */
  name?: string;
  /** Free text. */
  notes?: string;
  /** Fiscal period label, such as Q1 or FY. */
  period?: string;
  /** Fiscal year of the period. */
  period_year?: number;
  /** Whether the guidance is preliminary, as a boolean word. */
  prelim?: string;
  /** Estimated revenue. */
  revenue_guidance_est?: string;
  /** Upper end of the guided revenue. */
  revenue_guidance_max?: string;
  /** Lower end of the guided revenue. */
  revenue_guidance_min?: string;
  /** Upper end of the previous guidance. */
  revenue_guidance_prior_max?: string;
  /** Lower end of the previous guidance. */
  revenue_guidance_prior_min?: string;
  /** Basis of revenue, such as Adj or GAAP. */
  revenue_type?: string;
  /** Sector of the company, stored only. */
  sector?: string;
  /** Ticker symbol. */
  ticker?: string;
  /** Clock time of the event, New York. */
  time?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const guidance: (values?: Partial<Guidance>) => Guidance = builder("guidance");

/** One record of `earnings`. */
export type EarningsReport = {
  /** Currency code. */
  currency?: string;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** 1 if the day is confirmed, otherwise 0. */
  date_confirmed?: number;
  /** Earnings per share. */
  eps?: string;
  /** Estimated earnings per share. */
  eps_est?: string;
  /** Earnings per share in the same period of the previous year. */
  eps_prior?: string;
  /** Earnings per share minus the estimate. */
  eps_surprise?: string;
  /** The surprise as a fraction of the estimate. */
  eps_surprise_percent?: string;
  /** Basis of earnings per share: Adj, GAAP, or FFO. */
  eps_type?: string;
  /** Exchange of the listing. */
  exchange?: string;
  /** GICS classification of the company, stored only. */
  gics?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** ISIN. */
  isin?: string;
  /** Company name. */
  name?: string;
  /** Free text. */
  notes?: string;
  /** Fiscal period label, such as Q1 or FY. */
  period?: string;
  /** Fiscal year of the period. */
  period_year?: number;
  /** Revenue. */
  revenue?: string;
  /** Estimated revenue. */
  revenue_est?: string;
  /** Revenue in the same period of the previous year. */
  revenue_prior?: string;
  /** Revenue minus the estimate. */
  revenue_surprise?: string;
  /** The surprise as a fraction of the estimate. */
  revenue_surprise_percent?: string;
  /** Basis of revenue: Adj or GAAP. */
  revenue_type?: string;
  /** Sector of the company, stored only. */
  sector?: string;
  /** Ticker symbol. */
  ticker?: string;
  /** Session code (bmo before the open, dmh during market hours, amc after the close) or a clock time. */
  time?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const earningsReport: (values?: Partial<EarningsReport>) => EarningsReport = builder("earnings");

/** One record of `economics`. */
export type EconomicEvent = {
  /** Value as released. */
  actual?: string;
  /** Value as released, abbreviated. */
  actual_t?: string;
  /** Whether the event is confirmed. */
  confirmed?: boolean;
  /** Consensus forecast. */
  consensus?: string;
  /** Consensus forecast, abbreviated. */
  consensus_t?: string;
  /** English name of the country. */
  country?: string;
  /** Three-letter country code, or EMU for the euro area (also accepted as EUR); derived from country if absent. */
  country_code?: string;
  /** Day of the event. */
  date: string;
  /** What the release measures. */
  description?: string;
  /** Category, such as Inflation. */
  event_category?: string;
  /** Name of the event. */
  event_name?: string;
  /** Period that the value covers. */
  event_period?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 1 to 3; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** Free text. */
  notes?: string;
  /** Fiscal year of the period. */
  period_year?: number;
  /** Value for the previous period. */
  prior?: string;
  /** Value for the previous period, abbreviated. */
  prior_t?: string;
  /** Clock time of the event, New York. */
  time?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const economicEvent: (values?: Partial<EconomicEvent>) => EconomicEvent = builder("economics");

/** One record of `conference-calls`. */
export type ConferenceCall = {
  /** Access code of the call. */
  access_code?: string;
  /** Whether the event is confirmed. */
  confirmed?: boolean;
  /** CUSIP, as an integer; omitted if it is unknown or has letters. The setting BELLWIRE_CALENDAR_CUSIP=string returns the text instead. */
  cusip?: number | string;
  /** Day of the event. */
  date: string;
  /** Exchange of the listing. */
  exchange?: string;
  /** GICS classification of the company, stored only. */
  gics?: string;
  /** Record identifier. */
  id: string;
  /** Importance, from 0 to 5; 0 when unknown. */
  importance?: number;
  /** Importance by another scale, stored only. */
  importance_rank?: string;
  /** Phone number from abroad. */
  international_num?: string;
  /** ISIN. */
  isin?: string;
  /** Company name. */
  name?: string;
  /** Free text. */
  notes?: string;
  /** Fiscal period label, such as Q1 or FY. */
  period?: string;
  /** Fiscal year of the period. */
  period_year?: number;
  /** Phone number. */
  phone_num?: string;
  /** Reservation number. */
  reservation_num?: string;
  /** Sector of the company, stored only. */
  sector?: string;
  /** Clock time at which the call starts, New York. */
  start_time?: string;
  /** Ticker symbol. */
  ticker?: string;
  /** Clock time of the event, New York. */
  time?: string;
  /** Last update, Unix seconds in UTC. */
  updated?: number;
  /** URL of the webcast. */
  webcast_url?: string;
};

/** A valid record: what isn't specified has a default, and the ID is different each time. */
export const conferenceCall: (values?: Partial<ConferenceCall>) => ConferenceCall = builder("conference-calls");

/** Records by list. */
export type Records = {
  readonly news?: readonly NewsItem[];
  readonly ratings?: readonly Rating[];
  readonly dividends?: readonly Dividend[];
  readonly guidance?: readonly Guidance[];
  readonly earnings?: readonly EarningsReport[];
  readonly economics?: readonly EconomicEvent[];
  readonly conferenceCalls?: readonly ConferenceCall[];
};
