// Written by `avow types` from version 1 of the project "example".
import "@avow/widget/headless";

declare module "@avow/widget/headless" {
  interface ConsentNames {
    vendor: "analytics" | "films" | "recommendations" | "shop";
    form: "newsletter";
  }
}
