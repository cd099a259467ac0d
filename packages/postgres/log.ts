/** A log for warnings, such as a pino logger. */
export interface Log {
  warn(fields: object, message: string): void;
}
