import { type LiveSite, newLiveSite } from "../browser/widget/site.ts";

/** Publishes the questions of the examples: a tag and a film, a vendor that is always on, and a consent form. */
export function newExampleSite(): Promise<LiveSite> {
  const message = "<p>We use cookies. <a href='/privacy'>More</a></p>".replaceAll("'", '"');
  return newLiveSite({
    cookies: [
      {
        name: "shop-en",
        language: "en",
        isDefault: true,
        settings: { placeholders: true },
        steps: [
          { name: "welcome", layout: "welcome", title: "Your privacy", message },
          {
            name: "services",
            layout: "category",
            title: "Services",
            vendors: [
              { name: "stats", title: "Stats", shortDescription: "Counts visits." },
              { name: "video", title: "Video", policyUrl: "https://video.example/privacy" },
            ],
          },
          {
            name: "needed",
            layout: "category",
            title: "Needed",
            vendors: [{ name: "shop", title: "Shop", required: true }],
          },
        ],
      },
    ],
    processings: [
      {
        name: "newsletter",
        language: "en",
        title: "Newsletter",
        message: "<p>May we write to you once a month?</p>",
        purpose: "News about new pots",
      },
    ],
  });
}
