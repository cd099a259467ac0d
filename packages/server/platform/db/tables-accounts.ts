/** Second factors and recovery codes. */
export interface AccountTables {
  factors: {
    user_id: string;
    secret: string;
    last_step: number;
    created_at: Date;
    confirmed_at: Date | null;
  };
  recovery_codes: { user_id: string; hash: Buffer };
}
