import { Component, inject } from "@angular/core";
import { Banner } from "./banner";
import { VisitorConsent } from "./consent";

@Component({
  selector: "shop-app",
  imports: [Banner],
  template: `
    <shop-banner />
    <main>
      <h1>Hearth &amp; Clay</h1>
      @if (visitor.isAccepted("stats")) {
        <p>Statistics are on.</p>
      } @else {
        <p>Statistics are off.</p>
      }
      @if (visitor.isAccepted("video")) {
        <iframe src="/film.html" title="A film about clay"></iframe>
      }
    </main>
  `,
})
export class ShopApp {
  protected readonly visitor = inject(VisitorConsent);

  constructor() {
    this.visitor.onAccepted("stats", () => {
      const script = document.createElement("script");
      script.src = "/stats.js";
      document.head.append(script);
    });
  }
}
