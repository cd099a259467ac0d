import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { base } from "../../../browser/base.ts";
import type { PreviewInput, PreviewMessage } from "../../../preview/messages.ts";
import { editorWords } from "../../../words/editor.ts";

interface PreviewFrameProps {
  shown: PreviewInput;
  /** The size of the device in CSS pixels. */
  width: number;
  height: number;
  /** Whether it is shown in full size, without scaling to the available space. */
  isWhole?: boolean;
  /** A picture behind the widget, as the address of an image. */
  backdrop?: string;
  /** Restarts the preview when it changes. */
  revision: number;
}

interface FrameState {
  key: number;
  shown: PreviewInput;
  isReady: boolean;
}

/**
 * The real widget in a sandboxed frame. Each change loads a new frame behind the current one, which is removed once
 * the new one is ready, so that typing causes no flicker.
 */
export function PreviewFrame({
  shown,
  width,
  height,
  isWhole = false,
  backdrop,
  revision,
}: PreviewFrameProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  const [drawn, setDrawn] = useState<FrameState[]>([]);
  const text = JSON.stringify(shown);
  useEffect(() => {
    const key = Math.max(0, ...drawn.map((one) => one.key)) + 1;
    setDrawn((all) => [
      ...all.filter(({ isReady }) => isReady).slice(-1),
      { key, shown, isReady: false },
    ]);
  }, [text, revision]);
  useEffect(() => {
    if (!stage.current) return undefined;
    const fit = new ResizeObserver(([entry]) => {
      if (entry) setScale(Math.min(1, entry.contentRect.width / width));
    });
    fit.observe(stage.current);
    return () => fit.disconnect();
  }, [width]);
  const onShown = (key: number): void =>
    setDrawn((all) =>
      all
        .filter((one) => one.key >= key)
        .map((one) => (one.key === key ? { ...one, isReady: true } : one)),
    );
  return (
    <div
      ref={stage}
      class="stage"
      style={{ height: `${height * scale}px`, ...(isWhole ? { minWidth: `${width}px` } : {}) }}
    >
      {backdrop !== undefined && (
        <img
          class="backdrop"
          src={backdrop}
          alt=""
          style={{
            width: `${width * scale}px`,
            height: `${height * scale}px`,
            marginInlineStart: `calc((100% - ${width * scale}px) / 2)`,
          }}
        />
      )}
      {drawn.map((one) => (
        <OneFrame
          key={one.key}
          shown={one.shown}
          isFront={one.isReady || drawn.length === 1}
          style={{
            width: `${width}px`,
            height: `${height}px`,
            transform: `scale(${scale})`,
            marginInlineStart: `calc((100% - ${width * scale}px) / 2)`,
          }}
          onShown={() => onShown(one.key)}
        />
      ))}
    </div>
  );
}

interface OneFrameProps {
  shown: PreviewInput;
  isFront: boolean;
  style: Record<string, string>;
  onShown: () => void;
}

function OneFrame({ shown, isFront, style, onShown }: OneFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  // A layout effect, because a cached page may be ready before the next paint.
  useLayoutEffect(() => {
    const listen = ({ source, data }: MessageEvent<PreviewMessage>): void => {
      const target = frame.current?.contentWindow;
      if (!target || source !== target) return;
      // A sandboxed frame has no origin to name; the message goes to this frame only.
      if (data === "avow-preview-ready") target.postMessage(shown, "*");
      if (data === "avow-preview-shown") onShown();
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  return (
    <iframe
      ref={frame}
      class={`drawn${isFront ? " front" : ""}${shown.hasBackdrop ? " clear" : ""}`}
      style={style}
      title={editorWords.value.preview.frame}
      sandbox="allow-scripts"
      src={`${base}/preview`}
      aria-hidden={!isFront}
      tabIndex={isFront ? 0 : -1}
    />
  );
}
