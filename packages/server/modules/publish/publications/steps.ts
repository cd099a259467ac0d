/** The six steps of a publish job, in order (specification, States; wire section 3). */
export const stepNames = [
  "bundle",
  "limits",
  "organization",
  "subscription",
  "upload",
  "invalidate",
] as const;
export type StepName = (typeof stepNames)[number];

export const statuses = ["Pending", "Active", "Done", "Error"] as const;
export type Status = (typeof statuses)[number];

/** One step as stored and returned; times are RFC 3339. */
export interface Step {
  name: StepName;
  status: Status;
  startedAt: string | null;
  endedAt: string | null;
  message: string | null;
}

export function toPendingSteps(): Step[] {
  return stepNames.map((name) => ({
    name,
    status: "Pending",
    startedAt: null,
    endedAt: null,
    message: null,
  }));
}

/** The steps with one started. A step that starts again keeps its first start time. */
export function beginStep(steps: readonly Step[], name: StepName, now: Date): Step[] {
  return changeStep(steps, name, (step) => ({
    ...step,
    status: "Active",
    startedAt: step.startedAt ?? now.toISOString(),
  }));
}

export function endStep(
  steps: readonly Step[],
  name: StepName,
  end: { status: "Done" | "Error"; message: string | null; now: Date },
): Step[] {
  const { status, message, now } = end;
  return changeStep(steps, name, (step) => ({
    ...step,
    status,
    startedAt: step.startedAt ?? now.toISOString(),
    endedAt: now.toISOString(),
    message,
  }));
}

/** Ends all steps that are not done. */
export function endSteps(
  steps: readonly Step[],
  end: { status: "Done"; message: string; now: Date },
): Step[] {
  return steps.reduce<Step[]>(
    (ended, { name, status }) => (status === "Done" ? ended : endStep(ended, name, end)),
    [...steps],
  );
}

/** The step after `name`; undefined after the last. */
export function nextStep(name: StepName): StepName | undefined {
  return stepNames[stepNames.indexOf(name) + 1];
}

function changeStep(steps: readonly Step[], name: StepName, change: (step: Step) => Step): Step[] {
  return steps.map((step) => (step.name === name ? change(step) : step));
}
