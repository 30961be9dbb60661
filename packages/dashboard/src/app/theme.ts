import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const brand: MantineColorsTuple = [
  '#eef3ff',
  '#dbe4fb',
  '#b5c7f5',
  '#8ca8ef',
  '#698dea',
  '#537ce7',
  '#2855c5',
  '#2149ad',
  '#1b3d92',
  '#122c6e',
]

/** Slightly blue greys for the dark theme. */
const dark: MantineColorsTuple = [
  '#d5d8de',
  '#b3b8c2',
  '#8d94a1',
  '#606774',
  '#434955',
  '#343943',
  '#292d35',
  '#1d2026',
  '#17191f',
  '#111317',
]

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Needed by styles.css: without transitions no `transitionend` comes, and Mantine's Collapse would wait for it.
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
})

/** Gives dimmed text the contrast that WCAG requires. Mantine's defaults fall short of it. */
export const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565d6a',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#2149ad',
    '--mantine-color-disabled-color': '#565d6a',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b0bb',
    '--mantine-color-placeholder': '#9aa1ac',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-anchor': '#8ca8ef',
    '--mantine-color-disabled-color': '#a9b0bb',
  },
})
