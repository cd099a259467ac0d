-- Upper bound of the size of a delivery's body. The default for existing deliveries holds for nearly all of them.
ALTER TABLE webhook_deliveries ADD COLUMN bytes_max integer NOT NULL DEFAULT 131072;
