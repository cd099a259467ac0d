import { Component, type ElementRef, computed, effect, inject, viewChild } from "@angular/core";
import type { OfferButton } from "@avow/widget/headless";
import { VisitorConsent } from "./consent";

/** A banner and a preference center, built from the published offer. Angular sanitizes `innerHTML`. */
@Component({
  selector: "shop-banner",
  template: `
    @if (offer(); as offer) {
      @if (view() === "closed") {
        <button type="button" (click)="open()">{{ offer.say("settings") }}</button>
      } @else {
        <dialog
          #dialog
          [attr.lang]="offer.language"
          [attr.dir]="offer.direction"
          aria-labelledby="consent-title"
          (cancel)="consent.close()"
        >
          <h2 id="consent-title">
            {{ view() === "banner" ? offer.steps[0].title : offer.say("settings") }}
          </h2>
          @if (offer.note) {
            <p role="status">{{ offer.note }}</p>
          }
          @if (offer.hasSwitches) {
            @for (step of offer.categories; track step.name) {
              <h3>{{ step.title ?? step.name }}</h3>
              <div [innerHTML]="step.message ?? ''"></div>
              @for (vendor of step.vendors; track vendor.name) {
                <label>
                  <input
                    type="checkbox"
                    [disabled]="vendor.required === true"
                    [checked]="state().vendors[vendor.name] === true"
                    (change)="choose(vendor.name, $event)"
                  />
                  {{ vendor.title ?? vendor.name }}
                </label>
              }
            }
          } @else {
            <div [innerHTML]="offer.steps[0].message ?? ''"></div>
          }
          <!-- Accept and refuse look alike. -->
          @for (button of offer.buttons; track button.name) {
            <button type="button" (click)="press(button)">{{ button.text }}</button>
          }
        </dialog>
      }
    }
  `,
  styles: `
    dialog[open] {
      position: fixed;
      inset: auto 1rem 1rem;
      max-width: 28rem;
    }
    label {
      display: flex;
      gap: 0.5rem;
      min-height: 2rem;
      align-items: center;
    }
    input {
      width: 1.5rem;
      height: 1.5rem;
    }
    button {
      min-height: 2.75rem;
      margin: 0 0.5rem 0.5rem 0;
      padding: 0 1rem;
      font: inherit;
    }
  `,
})
export class Banner {
  private readonly visitor = inject(VisitorConsent);
  protected readonly consent = this.visitor.consent;
  protected readonly state = this.visitor.state;
  protected readonly offer = computed(() => this.state().offer);
  protected readonly view = computed(() => this.state().view);
  private readonly dialog = viewChild<ElementRef<HTMLDialogElement>>("dialog");
  private changed: Record<string, boolean> = {};

  constructor() {
    // The preference center blocks the page; the banner leaves the focus where it is.
    effect(() => {
      const dialog = this.dialog()?.nativeElement;
      dialog?.close();
      if (this.view() === "preferences") dialog?.showModal();
      else if (dialog) dialog.open = true;
    });
  }

  protected open(): void {
    this.consent.show().catch(reportError);
  }

  protected choose(vendor: string, { target }: Event): void {
    this.changed[vendor] = (target as HTMLInputElement).checked;
  }

  protected press({ act, answer }: OfferButton): void {
    if (act === "close") return this.consent.close();
    if (act === "choose") return this.open();
    const chosen = { ...this.state().vendors, ...this.changed };
    this.changed = {};
    this.consent.answer(answer ?? chosen).catch(reportError);
  }
}
