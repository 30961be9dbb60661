/** What the build adds to TypeScript: modules of styles, and the lazy modules that match a pattern. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: this is how the build gives out the names of a module of styles
  export default classes
}
declare module '*.css' {}

interface ImportMeta {
  glob<Module>(patterns: readonly string[]): Readonly<Record<string, () => Promise<Module>>>
}
