-- Upper bound of the size of a delivery's body. Older deliveries get an upper bound that holds for nearly all.
ALTER TABLE webhook_deliveries ADD COLUMN bytes_max integer NOT NULL DEFAULT 131072;
