const DRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 24;

/** The progress of an operation. */
export interface Step {
  title: string;
  done: number;
  /** Undefined when unknown. */
  total?: number | undefined;
  /** The unit of the rate. */
  unit: "bytes" | "records";
  /** The amount in `unit`; defaults to `done`. */
  count?: number;
  note?: string | undefined;
}

/** Shows progress: a bar on a terminal, otherwise a line every few seconds. */
export interface Progress {
  show: (step: Step) => void;
  /** Prints a line that stays. */
  say: (text: string) => void;
  clear: () => void;
}

/** Writes to standard error: standard output may be a file's content. */
export function openProgress(isQuiet: boolean): Progress {
  const { stderr } = process;
  const isTerminal = stderr.isTTY;
  let title = "";
  let startedAt = 0;
  let drawnAt = 0;
  const clear = (): void => {
    if (isTerminal && !isQuiet) stderr.write("\r\u001b[K");
  };
  return {
    clear,
    say(text) {
      if (isQuiet) return;
      clear();
      stderr.write(`${text}\n`);
    },
    show(step) {
      if (isQuiet) return;
      const now = performance.now();
      if (step.title !== title) {
        title = step.title;
        startedAt = now;
        drawnAt = isTerminal ? 0 : now;
      }
      if (now - drawnAt < (isTerminal ? DRAW_MS : LINE_MS)) return;
      drawnAt = now;
      const text = toText(step, (now - startedAt) / 1_000);
      if (!isTerminal) stderr.write(`${text}\n`);
      else stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, stderr.columns - 1))}`);
    },
  };
}

function toText({ title, done, total, unit, count = done, note }: Step, seconds: number): string {
  const rate = seconds > 0 ? count / seconds : 0;
  const parts = [toAmount(count, unit), `${toAmount(rate, unit)}/s`];
  if (total !== undefined && total > 0) {
    const part = Math.min(1, done / total);
    const left = part > 0 && seconds > 1 ? (seconds * (1 - part)) / part : undefined;
    if (left !== undefined) parts.push(`${toDuration(left)} left`);
    parts.unshift(`${toBar(part)} ${Math.floor(part * 100)} %`);
  }
  if (note !== undefined) parts.push(note);
  return `${title} ${parts.join(" · ")}`;
}

function toBar(part: number): string {
  const full = Math.floor(part * BAR_WIDTH);
  return "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
}

function toAmount(amount: number, unit: Step["unit"]): string {
  if (unit === "records") return Math.round(amount).toLocaleString("en");
  if (amount < 10_000) return `${Math.round(amount)} B`;
  return amount < 10_000_000
    ? `${(amount / 1_000).toFixed(0)} kB`
    : `${(amount / 1_000_000).toFixed(1)} MB`;
}

function toDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
