import { card, edge } from './style.js'

/** A channel's branding. Publishers write these values, so each is validated before use. */
export interface Brand {
  readonly title: string
  readonly logo_url?: string | null
  readonly brand_color?: string | null
  readonly support_url?: string | null
}

/**
 * The style sheet with the channel's colour for the main button; empty unless the colour has the form
 * #rrggbb.
 */
export function brandStyle(brand: Brand | undefined): string {
  const color = brand?.brand_color ?? ''
  if (!/^#[0-9a-f]{6}$/i.test(color)) return ''
  return (
    `.main{background:${color};border-color:${edgeOn('light', color)};color:${readableOn(color)}}` +
    `@media (prefers-color-scheme:dark){.main{background:${color};border-color:${edgeOn('dark', color)}}}`
  )
}

/** Black or white, whichever is more readable on the colour. */
export const readableOn = (color: string): '#000000' | '#ffffff' =>
  contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff'

/** The contrast of two colours according to WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** A button nearly the colour of the card gets a visible edge. */
const edgeOn = (scheme: 'light' | 'dark', color: string) =>
  contrast(color, card[scheme]) < 3 ? edge[scheme] : color

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
