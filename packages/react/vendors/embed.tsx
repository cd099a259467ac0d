"use client";
import type { ConsentOffer, OfferVendor, VendorName } from "@avow/widget/headless";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useBrowserEffect } from "../content/browser-effect.ts";
import { useConsent, useIsAccepted } from "../context/hooks.tsx";
import { Link } from "../content/message.tsx";

/** Properties of `Embed`: those of an `iframe`, and its vendors. */
export interface EmbedProps extends ComponentProps<"iframe"> {
  /** The vendors that must be accepted before the frame loads. */
  vendor: VendorName | readonly VendorName[];
  src: string;
  /** Names the content, for screen readers and in the placeholder. */
  title: string;
  /** The address of a picture behind the placeholder. Serve it yourself: another host would learn of the visit. */
  preview?: string | undefined;
}

/**
 * A frame of a vendor. Until its vendors may run, a placeholder of the same size has a button to load it once, and one that
 * accepts the vendors. Its texts are published if a vendor has `hosts`, or with the setting `placeholders`.
 */
export function Embed({ vendor, preview, ...frame }: EmbedProps): ReactNode {
  const vendors = typeof vendor === "string" ? [vendor] : vendor;
  const isAccepted = useIsAccepted(...vendors);
  const [isLoaded, setLoaded] = useState(false);
  /** Whether a button of the placeholder had the focus. */
  const wasPressed = useRef(false);
  const ref = useRef<HTMLIFrameElement>(null);
  const isShown = isAccepted || isLoaded;
  useEffect(() => {
    if (isShown && wasPressed.current) ref.current?.focus();
  }, [isShown]);
  // oxlint-disable-next-line react/iframe-missing-sandbox
  if (isShown) return <iframe {...frame} ref={ref} title={frame.title} />;
  return (
    <Placeholder
      vendors={vendors}
      preview={preview}
      frame={frame}
      onPress={() => (wasPressed.current = true)}
      onLoad={() => setLoaded(true)}
    />
  );
}

interface PlaceholderProps {
  vendors: readonly VendorName[];
  preview: string | undefined;
  frame: Omit<EmbedProps, "vendor" | "preview">;
  onPress: () => void;
  onLoad: () => void;
}

function Placeholder({ vendors, preview, frame, onPress, onLoad }: PlaceholderProps): ReactNode {
  const { title, className, width, height, style } = frame;
  const { state, answer, show } = useConsent();
  const { offer } = state;
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  // By CSSOM, which a policy on inline styles allows.
  useBrowserEffect(() => {
    ref.current?.style.setProperty("max-width", toLength(width) ?? "");
    ref.current?.style.setProperty("min-height", toLength(height) ?? "");
  }, [width, height]);
  const say = (name: string): string =>
    offer?.say(name).replaceAll("{vendor}", () => toTitles(offer, vendors)) ?? "";
  /** The texts of placeholders may not be published: then the preference center asks. */
  const hasTexts = say("embedOnce") !== "embedOnce";
  const press = (act: () => unknown) => (): void => {
    onPress();
    act();
  };
  const allow = (): void =>
    // A failure is in the state.
    void answer(Object.fromEntries(vendors.map((one) => [one, true]))).catch(() => undefined);
  return (
    <div
      ref={ref}
      className={["avow avow-embed", className].filter(Boolean).join(" ")}
      style={style}
      role="group"
      aria-labelledby={`${id}-title ${id}-name`}
      lang={offer?.language}
      dir={offer?.direction}
    >
      {preview && <img className="avow-preview" src={preview} alt="" />}
      <div className="avow-embed-text">
        <p className="avow-subtitle" id={`${id}-title`}>
          {hasTexts ? say("embedTitle") : offer && toTitles(offer, vendors)}
        </p>
        <p className="avow-embed-name" id={`${id}-name`}>
          {title}
        </p>
        {offer && hasTexts && (
          <p className="avow-soft">
            {say("embedText")} <Policies offer={offer} vendors={vendors} />
          </p>
        )}
        {offer && (
          <div className="avow-embed-foot">
            {hasTexts ? (
              <>
                <button type="button" className="avow-button" onClick={press(onLoad)}>
                  {say("embedOnce")}
                </button>
                {vendors.every(offer.isAsked) && (
                  <button type="button" className="avow-quiet" onClick={press(allow)}>
                    {say("embedAlways")}
                  </button>
                )}
              </>
            ) : (
              <button
                type="button"
                className="avow-button"
                onClick={press(() => show("preferences"))}
              >
                {say("settings")}
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function Policies({
  offer,
  vendors,
}: {
  offer: ConsentOffer;
  vendors: readonly string[];
}): ReactNode {
  return listVendors(offer, vendors).map(
    ({ name, policyUrl }) =>
      policyUrl && (
        <Link key={name} href={policyUrl}>
          {offer.say("policy")}
        </Link>
      ),
  );
}

function toTitles(offer: ConsentOffer, vendors: readonly string[]): string {
  const titles = listVendors(offer, vendors).map(({ name, title = name }) => title);
  return new Intl.ListFormat(offer.language).format(titles);
}

function listVendors({ vendors }: ConsentOffer, names: readonly string[]): OfferVendor[] {
  return names.map((name) => vendors.find((one) => one.name === name) ?? { name });
}

/** A number is in pixels, as in the attribute of a frame. */
function toLength(size: number | string | undefined): string | undefined {
  return size === undefined || Number.isNaN(Number(size)) ? undefined : `${size}px`;
}
