/** Styles are put together by the build. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: this is how the build gives out the names of a module of styles
  export default classes
}
declare module '*.css' {}
