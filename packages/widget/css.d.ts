/** A style sheet as text, made small when the widget is built. */
declare module "*.css" {
  const text: string;
  export default text;
}
