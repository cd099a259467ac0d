"use client";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, type RefObject, useId, useRef } from "react";
import { type BannerClassNames, ClassNamesContext } from "../content/class-names.ts";
import { useConsent } from "../context/hooks.tsx";
import { Message } from "../content/message.tsx";
import { Categories } from "./categories.tsx";
import { useChoices } from "./choices.ts";
import { OfferDialog } from "./dialog.tsx";
import { IabBanner, isIab } from "./iab.tsx";
import { Launcher } from "./launcher.tsx";
import { toPlace } from "./place.ts";
import { CenterDialog } from "./preference-center.tsx";
import { Body, Foot, Head } from "./screen.tsx";

/** Properties of `ConsentBanner`. */
export interface ConsentBannerProps {
  /** Additional classes, by part. */
  classNames?: BannerClassNames | undefined;
  /**
   * Whether a button reopens the choices while nothing else is shown; by default as the configuration says. Without it, call
   * `consent.show()` from a link of your own: consent must be as easy to withdraw as to give.
   */
  launcher?: boolean | undefined;
}

/**
 * The banner, the preference center, and the button that reopens it. Put it first in the page, so that it has the first
 * keyboard focus. With the layout `iab` of IAB's TCF, it loads the widget's banner.
 */
export function ConsentBanner({ classNames = {}, launcher }: ConsentBannerProps): ReactNode {
  const hadFocus = useRef(false);
  const { offer, view } = useConsent().state;
  if (!offer?.steps[0]) return null;
  if (isIab(offer)) return <IabBanner />;
  const hasLauncher = launcher ?? offer.configuration.settings?.["launcher"] !== false;
  return (
    <ClassNamesContext.Provider value={classNames}>
      {view === "banner" && <FirstLayer offer={offer} hadFocus={hadFocus} />}
      {view === "preferences" && <CenterDialog offer={offer} hadFocus={hadFocus} />}
      {view === "closed" && hasLauncher && <Launcher offer={offer} hadFocus={hadFocus} />}
    </ClassNamesContext.Provider>
  );
}

function FirstLayer({
  offer,
  hadFocus,
}: {
  offer: ConsentOffer;
  hadFocus: RefObject<boolean>;
}): ReactNode {
  const { state, close } = useConsent();
  const choices = useChoices(state);
  const id = useId();
  const { position, isModal } = state.appearance;
  const [first] = offer.steps;
  if (!first) return null;
  const { layout, timeout } = first;
  return (
    <OfferDialog
      offer={offer}
      isModal={isModal}
      place={`${toPlace(position)} avow-${layout}`}
      labelId={id}
      hadFocus={hadFocus}
      onDismiss={close}
      timeoutMs={timeout}
    >
      <Head id={id} {...first} />
      <Body offer={offer} labelId={id}>
        {offer.hasSwitches ? (
          <Categories offer={offer} choices={choices} isTitled={false} />
        ) : (
          <Message html={first.message} />
        )}
      </Body>
      <Foot offer={offer} choices={choices} />
    </OfferDialog>
  );
}
