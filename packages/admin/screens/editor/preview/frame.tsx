import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { base } from "../../../browser/base.ts";
import type { PreviewInput, PreviewMessage } from "../../../preview/messages.ts";
import { editorWords } from "../../../words/editor.ts";

interface PreviewFrameProps {
  shown: PreviewInput;
  /** Of the device, in pixels of its page. */
  width: number;
  height: number;
  /** In its own size, whatever room there is. */
  isWhole?: boolean;
  /** Another number, and it begins anew. */
  revision: number;
}

interface FrameState {
  key: number;
  shown: PreviewInput;
  isReady: boolean;
}

/**
 * The real widget in a frame without an origin. Each change is drawn in a frame of its own, behind the one
 * before, which goes when it is there: so that nothing flickers while somebody writes.
 */
export function PreviewFrame({ shown, width, height, isWhole = false, revision }: PreviewFrameProps) {
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
  // At once: a page that is in the cache may be ready before the next frame is painted.
  useLayoutEffect(() => {
    const listen = ({ source, data }: MessageEvent<PreviewMessage>): void => {
      const target = frame.current?.contentWindow;
      if (!target || source !== target) return;
      // It has no origin that could be named; what it is given goes to this very frame.
      if (data === "avow-preview-ready") target.postMessage(shown, "*");
      if (data === "avow-preview-shown") onShown();
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  return (
    <iframe
      ref={frame}
      class={isFront ? "drawn front" : "drawn"}
      style={style}
      title={editorWords.value.preview.frame}
      sandbox="allow-scripts"
      src={`${base}/preview`}
      aria-hidden={!isFront}
      tabIndex={isFront ? 0 : -1}
    />
  );
}
