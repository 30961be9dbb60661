/** Declares what the build adds to TypeScript: CSS modules, and glob imports of lazy modules. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: this is how the build gives out the names of a module of styles
  export default classes
}
declare module '*.css' {}

interface ImportMeta {
  glob<Module>(patterns: readonly string[]): Readonly<Record<string, () => Promise<Module>>>
}
