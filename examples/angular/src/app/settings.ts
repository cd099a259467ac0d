export const project = "PROJECT";
export const url = "https://consent.example";
