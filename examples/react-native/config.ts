/** Replace these by the values of your project. The build for the web replaces them by its environment. */
export const config = {
  project: process.env["AVOW_PROJECT"] ?? "PROJECT",
  url: process.env["AVOW_URL"] ?? "https://consent.example",
  statsUrl: process.env["STATS_URL"] ?? "https://stats.example/app-started",
  /** The visitor's token after the sign-in. */
  customer: process.env["CUSTOMER"] ?? "customer-1",
};

declare const process: { env: Record<string, string | undefined> };
