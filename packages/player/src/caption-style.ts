/** The choices for captions, by name, with their labels and CSS values. */
export const captionChoices = {
  size: {
    label: 'Size',
    usual: '100',
    values: {
      '75': ['Small', '75%'],
      '100': ['Normal', '100%'],
      '150': ['Large', '150%'],
      '200': ['Very large', '200%'],
    },
  },
  color: {
    label: 'Colour',
    usual: 'white',
    values: {
      white: ['White', '#fff'],
      yellow: ['Yellow', '#ffe14d'],
      cyan: ['Cyan', '#66e5ff'],
      green: ['Green', '#7dff8a'],
      black: ['Black', '#000'],
    },
  },
  background: {
    label: 'Background',
    usual: 'dark',
    values: {
      dark: ['Dark', 'rgb(0 0 0 / .75)'],
      black: ['Black', '#000'],
      white: ['White', '#fff'],
      none: ['None', 'transparent'],
    },
  },
} as const satisfies Record<string, CaptionChoice>

interface CaptionChoice {
  readonly label: string
  readonly usual: string
  readonly values: Readonly<Record<string, readonly [label: string, css: string]>>
}

type ChoiceName = keyof typeof captionChoices
export type CaptionStyle = Readonly<Record<ChoiceName, string>>

export const choiceNames = Object.keys(captionChoices) as ChoiceName[]

/** Fills in what is missing, and replaces values that do not exist. */
export function fitStyle(given: Partial<CaptionStyle> = {}): CaptionStyle {
  const entries = choiceNames.map((name) => {
    const { values, usual } = captionChoices[name]
    const value = given[name]
    return [name, value !== undefined && Object.hasOwn(values, value) ? value : usual]
  })
  return Object.fromEntries(entries) as CaptionStyle
}

const cssOf = (name: ChoiceName, value: string): string =>
  (captionChoices[name].values as CaptionChoice['values'])[value]?.[1] ?? ''

/** Declarations for captions. Text without a background gets an outline. */
export function captionCss({ size, color, background }: CaptionStyle): string {
  const outline = color === 'black' ? '#fff' : '#000'
  const shadow =
    background === 'none' ? `;text-shadow:0 0 3px ${outline},0 0 3px ${outline},0 0 6px ${outline}` : ''
  return `font-size:${cssOf('size', size)};background:${cssOf('background', background)};color:${cssOf('color', color)}${shadow}`
}
