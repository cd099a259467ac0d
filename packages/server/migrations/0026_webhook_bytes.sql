-- How many bytes a delivery's body has at most, known before it is read. Of those made before, what nearly all have.
ALTER TABLE webhook_deliveries ADD COLUMN bytes_max integer NOT NULL DEFAULT 131072;
