import type { BannerFile } from "@avow/contract/files";
import { introduction } from "../_texts.ts";

export default {
  name: "main",
  title: "Cookies",
  language: "en",
  isDefault: true,
  steps: [
    { name: "welcome", layout: "welcome", title: "Cookies", message: introduction },
    {
      name: "statistics",
      layout: "category",
      title: "Statistics",
      message: "<p>Which pages are read, and which are not.</p>",
      vendors: ["matomo"],
    },
  ],
} satisfies BannerFile;
