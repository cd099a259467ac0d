import { useEffect, useState } from "preact/hooks";
import {
  type CookieConfigurationIn,
  type Preview,
  type ScanResult,
  previewProject,
} from "@avow/client/operations";
import type { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import type { ShownProject } from "../../data/projects/project.ts";
import type { Content } from "../../preview/messages.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { startWords } from "../../words/start/words.ts";
import { PreviewFrame } from "../editor/preview/frame.tsx";
import { FindingsCard } from "../publish/findings.tsx";

const AFTER_MS = 250;
const devices = { desktop: [1_280, 800], phone: [390, 700] } as const;
type Device = keyof typeof devices;
const deviceNames = Object.keys(devices) as Device[];

/** Colors of the project's design. */
export type SiteColors = Partial<Record<"main" | "background" | "text" | "title", string>>;

interface SitePreviewProps {
  project: ShownProject;
  banner: CookieConfigurationIn;
  colors: SiteColors | undefined;
  /** JPEG pictures of the website in base64. */
  screenshots: NonNullable<ScanResult["appearance"]>["screenshots"] | undefined;
}

/** The real widget with the unsaved banner over a picture of the website, and the findings of the publish check. */
export function SitePreview({ project, banner, colors, screenshots }: SitePreviewProps) {
  const texts = startWords.value;
  const [device, setDevice] = useState<Device>(() =>
    matchMedia("(max-width: 48rem)").matches ? "phone" : "desktop",
  );
  const { preview, problem } = useDraft(project, banner, colors);
  const content: Content | undefined = preview?.content;
  const identifier = content?.cookies?.[0]?.identifier;
  const picture = screenshots?.[device] ?? undefined;
  const [width, height] = devices[device];
  return (
    <section class="preview" aria-labelledby="site-preview">
      <div class="preview-bar">
        <h2 id="site-preview">{texts.preview}</h2>
        <div class="segments" role="group" aria-label={texts.device}>
          {deviceNames.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === device}
              onClick={() => setDevice(one)}
            >
              {texts.devices[one]}
            </button>
          ))}
        </div>
      </div>
      {problem && (
        <p class="note warn" role="status">
          {texts.previewFailed} {toFaultText(problem)}
        </p>
      )}
      {content && identifier !== undefined && (
        <PreviewFrame
          shown={{
            kind: "cookies",
            identifier,
            content,
            scheme: "light",
            step: 0,
            region: undefined,
            hasBackdrop: picture !== undefined,
          }}
          {...(picture !== undefined && { backdrop: `data:image/jpeg;base64,${picture}` })}
          width={width}
          height={height}
          revision={0}
        />
      )}
      {preview && preview.findings.length > 0 && (
        <FindingsCard projectId={project.id} check={preview} />
      )}
    </section>
  );
}

interface Drafted {
  preview: Preview | undefined;
  problem: Problem | undefined;
}

/** The publication with the unsaved banner, loaded shortly after its last change. */
function useDraft(
  { id, title, site }: ShownProject,
  banner: CookieConfigurationIn,
  colors: SiteColors | undefined,
): Drafted {
  const [drafted, setDrafted] = useState<Drafted>({ preview: undefined, problem: undefined });
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      const documents = [
        { collection: "cookies" as const, body: banner },
        ...(colors ? [{ id, body: { title, websiteURL: site, colors } }] : []),
      ];
      try {
        const preview = await send(previewProject, {
          path: { projectId: id },
          body: { documents },
        });
        if (isWanted) setDrafted({ preview, problem: undefined });
      } catch (error) {
        if (isWanted) setDrafted(({ preview }) => ({ preview, problem: asProblem(error) }));
      }
    };
    const timer = setTimeout(() => void load(), drafted.preview ? AFTER_MS : 0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [id, banner, colors?.main, colors?.background]);
  return drafted;
}
