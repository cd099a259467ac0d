import { DestroyRef, Injectable, effect, inject, signal } from "@angular/core";
import { connectPage, createBrowserConsent } from "@avow/widget/browser";
import { project, url } from "./settings";

/** The consent of the visitor, with its state as a signal. */
@Injectable({ providedIn: "root" })
export class VisitorConsent {
  readonly consent = createBrowserConsent({ project, url });
  private readonly current = signal(this.consent.getState());
  readonly state = this.current.asReadonly();

  constructor() {
    const stops = [
      this.consent.subscribe(() => this.current.set(this.consent.getState())),
      connectPage(this.consent),
    ];
    inject(DestroyRef).onDestroy(() => {
      for (const stop of stops) stop();
    });
  }

  isAccepted(vendor: string): boolean {
    return this.state().vendors[vendor] === true;
  }

  /** Calls `run` once, as soon as a vendor may run. Call it in a constructor. */
  onAccepted(vendor: string, run: () => void): void {
    const watching = effect(() => {
      if (!this.isAccepted(vendor)) return;
      watching.destroy();
      run();
    });
  }
}
