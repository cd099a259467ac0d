export async function runDoctor(_args: string[]): Promise<number> {
  return 0;
}
