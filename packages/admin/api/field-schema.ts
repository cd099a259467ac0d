/** The part of a JSON Schema that forms use. */
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
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  /** The layouts of steps that have this field; absent: all. */
  "x-layouts"?: readonly string[];
  title?: string;
  not?: FieldSchema;
}
