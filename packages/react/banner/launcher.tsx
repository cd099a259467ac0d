"use client";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useClassNames } from "../content/class-names.ts";
import { useConsent } from "../context/hooks.tsx";
import { toPlace } from "./place.ts";

/** The button that reopens the choices. It takes the focus of a banner that it replaces. */
export function Launcher({
  offer,
  hadFocus,
}: {
  offer: ConsentOffer;
  hadFocus: RefObject<boolean>;
}): ReactNode {
  const toClass = useClassNames();
  const { state, show } = useConsent();
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) ref.current?.focus();
  }, [hadFocus]);
  const own = offer.configuration.settings?.["launcher"];
  const position = typeof own === "string" ? own : state.appearance.position;
  const title = offer.say("settings");
  return (
    <button
      ref={ref}
      type="button"
      className={toClass(
        "launcher",
        "avow",
        toPlace(position === "center" ? "bottom-left" : position),
      )}
      lang={offer.language}
      aria-label={title}
      title={title}
      onClick={() => void show("preferences")}
    />
  );
}
