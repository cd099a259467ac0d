"use client";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, type RefObject, useId, useRef } from "react";
import { type BannerClassNames, ClassNamesContext, useClassNames } from "../content/class-names.ts";
import { useConsent } from "../context/hooks.tsx";
import { Categories } from "./categories.tsx";
import { useChoices } from "./choices.ts";
import { OfferDialog } from "./dialog.tsx";
import { isIab } from "./iab.tsx";
import { Body, Foot, Head } from "./screen.tsx";

/** Properties of `PreferenceCenter`. */
export interface PreferenceCenterProps {
  /** Additional classes, by part. */
  classNames?: BannerClassNames | undefined;
}

/**
 * The dialog of the preference center, while `consent.show()` has opened it. `ConsentBanner` includes it; use it alone with a
 * banner of your own.
 */
export function PreferenceCenter({ classNames = {} }: PreferenceCenterProps): ReactNode {
  const hadFocus = useRef(false);
  const { offer, view } = useConsent().state;
  if (!offer || view !== "preferences" || isIab(offer)) return null;
  return (
    <ClassNamesContext.Provider value={classNames}>
      <CenterDialog offer={offer} hadFocus={hadFocus} />
    </ClassNamesContext.Provider>
  );
}

/** The open dialog. */
export function CenterDialog({
  offer,
  hadFocus,
}: {
  offer: ConsentOffer;
  hadFocus: RefObject<boolean>;
}): ReactNode {
  const toClass = useClassNames();
  const { state, close } = useConsent();
  const choices = useChoices(state);
  const id = useId();
  return (
    <OfferDialog
      offer={offer}
      isModal
      place="avow-preferences"
      labelId={id}
      hadFocus={hadFocus}
      onDismiss={close}
    >
      <Head id={id} name={offer.say("settings")}>
        <button
          type="button"
          className={toClass("quiet", "avow-close")}
          aria-label={offer.say("close")}
          onClick={close}
        >
          ×
        </button>
      </Head>
      <Body offer={offer} labelId={id}>
        <Categories offer={offer} choices={choices} isTitled />
      </Body>
      <Foot offer={offer} choices={choices} />
    </OfferDialog>
  );
}
