/** A value as its schema (JSON Schema) declares it, as far as forms need it. */
export interface FieldSchema {
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  items?: FieldSchema;
  additionalProperties?: boolean | FieldSchema;
  description?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxItems?: number;
  /** Layouts of steps that alone have it. */
  "x-layouts"?: readonly string[];
  title?: string;
}
